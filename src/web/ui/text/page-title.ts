/** The browser tab's title, where a screen has a better one than its route. */
import { useEffect, useSyncExternalStore } from "react";

let title: string | null = null;
const listeners = new Set<() => void>();

function setTitle(next: string | null) {
  title = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the tab's title while the component is mounted; null keeps the route's title. */
export function usePageTitle(text: string | null): void {
  useEffect(() => {
    setTitle(text);
    return () => setTitle(null);
  }, [text]);
}

/** Returns the title a screen set for the tab, or null. */
export function useChosenTitle(): string | null {
  return useSyncExternalStore(subscribe, () => title);
}
