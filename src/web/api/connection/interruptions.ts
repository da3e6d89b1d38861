import { useSyncExternalStore } from "react";

const channels = new Set<string>();
const listeners = new Set<() => void>();

/** Pass false on reconnect and when the channel is no longer needed. */
export function setInterrupted(channel: string, isInterrupted: boolean): void {
  if (channels.has(channel) === isInterrupted) return;
  if (isInterrupted) channels.add(channel);
  else channels.delete(channel);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const stop = new AbortController();
  listeners.add(listener);
  window.addEventListener("online", listener, stop);
  window.addEventListener("offline", listener, stop);
  return () => {
    listeners.delete(listener);
    stop.abort();
  };
}

/** Returns true while the browser is offline or a live channel is disconnected. */
export function useIsInterrupted(): boolean {
  // The browser notices a lost connection at once, the socket only after its heartbeat.
  return useSyncExternalStore(subscribe, () => channels.size > 0 || !navigator.onLine);
}
