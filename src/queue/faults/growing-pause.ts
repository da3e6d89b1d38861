import { setTimeout as delay } from "node:timers/promises";

const MIN_MS = 1_000;
const MAX_MS = 60_000;

export type GrowingPause = {
  nextMs(): number;
  /** Waits for the next pause or until the signal aborts, and doubles the following one, up to a minute. */
  wait(signal: AbortSignal): Promise<void>;
  /** Starts over at one second. */
  reset(): void;
};

/** Returns a pause of one second, doubled with each wait up to 60 s. */
export function createGrowingPause(): GrowingPause {
  let nextMs = MIN_MS;
  return {
    nextMs: () => nextMs,
    async wait(signal) {
      const ms = nextMs;
      nextMs = Math.min(2 * ms, MAX_MS);
      await delay(ms, undefined, { signal }).catch(() => {});
    },
    reset: () => void (nextMs = MIN_MS),
  };
}
