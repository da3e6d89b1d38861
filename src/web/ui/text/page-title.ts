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

/** Overrides the browser tab's title while mounted; null keeps the route's. */
export function usePageTitle(text: string | null): void {
  useEffect(() => {
    setTitle(text);
    return () => setTitle(null);
  }, [text]);
}

/** Returns null for the route's title. */
export function useChosenTitle(): string | null {
  return useSyncExternalStore(subscribe, () => title);
}
