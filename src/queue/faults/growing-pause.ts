import { setTimeout as delay } from "node:timers/promises";

const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

export type GrowingPause = {
  nextMs(): number;
  /** Waits for the next pause or until the signal aborts, and doubles the following one, up to a minute. */
  wait(signal: AbortSignal): Promise<void>;
  /** Starts over at one second. */
  reset(): void;
};

export function createGrowingPause(): GrowingPause {
  let nextMs = SHORTEST_MS;
  return {
    nextMs: () => nextMs,
    async wait(signal) {
      const ms = nextMs;
      nextMs = Math.min(2 * ms, LONGEST_MS);
      await delay(ms, undefined, { signal }).catch(() => {});
    },
    reset: () => void (nextMs = SHORTEST_MS),
  };
}
