import { setTimeout as delay } from "node:timers/promises";

const MIN_MS = 1_000;
const MAX_MS = 60_000;

export type GrowingPause = {
  nextMs(): number;
  /** Resolves after the pause or when the signal aborts, and doubles the next pause, up to a minute. */
  wait(signal: AbortSignal): Promise<void>;
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
