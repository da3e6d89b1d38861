/** Dark unless the operator chose light. `/before-app.js` applies the choice before the first paint. */
import { useSyncExternalStore } from "react";

type Theme = "dark" | "light";

const STORAGE_KEY = "clipmill-theme";
const CHANGED = "clipmill-theme-changed";

function readTheme(): Theme {
  return document.documentElement.dataset.theme === "light" ? "light" : "dark";
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event(CHANGED));
}

function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage is full; the choice lasts until the page closes.
  }
}

function handleStorage(event: StorageEvent) {
  if (event.key === STORAGE_KEY) applyTheme(event.newValue === "light" ? "light" : "dark");
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  window.addEventListener("storage", handleStorage);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener("storage", handleStorage);
  };
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), chooseTheme];
}
