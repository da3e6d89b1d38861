import { useSyncExternalStore } from "react";

/** One clock for all live times on screen; stopped without any. */
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = setInterval(tick, 1000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function standStill(): () => void {
  return () => undefined;
}

export function useNow(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? subscribe : standStill, () => nowMs);
}
