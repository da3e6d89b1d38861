/** Seconds after each failed attempt, as the specification recommends: ten attempts over 75 hours. */
const DELAYS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/** Up to a tenth more, so that a receiver that returns is not flooded. */
const JITTER = 0.1;

/** Returns the seconds until the next attempt after `made` failed ones; null if that was the last. */
export function retryDelaySeconds(made: number, random = Math.random()): number | null {
  const delay = DELAYS[made - 1];
  return delay === undefined ? null : delay * (1 + JITTER * random);
}
