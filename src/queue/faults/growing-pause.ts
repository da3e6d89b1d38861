import { setTimeout as delay } from "node:timers/promises";

const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

export type GrowingPause = {
  /** How long the next one is. */
  nextMs(): number;
  /** Makes the next one, or what is left of it when the signal aborts. The one after it is twice as long, up to a minute. */
  wait(signal: AbortSignal): Promise<void>;
  /** Begins anew with a short one. */
  reset(): void;
};

/** Pauses between tries of something that does not work at the moment. */
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
