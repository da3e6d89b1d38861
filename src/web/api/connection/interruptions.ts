/** Which live channels are cut off from the server right now. */
import { useSyncExternalStore } from "react";

const channels = new Set<string>();
const listeners = new Set<() => void>();

/** Notes that a channel was cut off, or that it is back or no longer wanted. */
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

/** True while live changes of something on screen cannot arrive. */
export function useIsInterrupted(): boolean {
  // A dead line is noticed by the socket only after its heartbeat, by the browser at once.
  return useSyncExternalStore(subscribe, () => channels.size > 0 || !navigator.onLine);
}
