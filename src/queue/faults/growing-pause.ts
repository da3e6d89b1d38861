import { setTimeout as delay } from "node:timers/promises";

const MIN_MS = 1_000;
const MAX_MS = 60_000;

export type GrowingPause = {
  nextMs(): number;
  /** Waits for the pause or until the signal aborts, then doubles the next one, up to a minute. */
  wait(signal: AbortSignal): Promise<void>;
  /** Starts again at one second. */
  reset(): void;
};

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
