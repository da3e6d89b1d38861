/** The title of the browser's tab, where a screen has a better one than its route. */
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

/** Names the tab while the component is there; null leaves it the route's name. */
export function usePageTitle(text: string | null): void {
  useEffect(() => {
    setTitle(text);
    return () => setTitle(null);
  }, [text]);
}

/** The name a screen gave the tab, or null. */
export function useChosenTitle(): string | null {
  return useSyncExternalStore(subscribe, () => title);
}
