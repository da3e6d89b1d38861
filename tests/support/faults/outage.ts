/** Simulates hours of outage in seconds by advancing the workers' clock to the end of each rest. */
import { expect } from "vitest";
import { wakeWaiting } from "#operations/hosts/wake-waiting.ts";
import type { TestWorker } from "../servers/worker.ts";

export const MINUTE_MS = 60_000;
const GIVE_TIME = { timeout: 30_000, interval: 20 };

/** Tests advance it by increasing `aheadMs`. */
export type AheadClock = { aheadMs: number; readNow: () => Promise<number> };

export function createAheadClock(): AheadClock {
  const clock: AheadClock = { aheadMs: 0, readNow: async () => Date.now() + clock.aheadMs };
  return clock;
}

/** Tests break one host at a time. */
export function readHost({ context }: TestWorker) {
  return context.db.selectFrom("hosts").selectAll().executeTakeFirst();
}

/**
 * Waits until the host cools down without a probe while a video waits for it; a rest without waiting videos is forgotten
 * when it ends. Returns its end, in milliseconds since 1970.
 */
export async function waitUntilCoolingDown(worker: TestWorker, { readNow }: AheadClock): Promise<number> {
  let untilMs = 0;
  await expect
    .poll(async () => {
      const host = await readHost(worker);
      untilMs = Date.parse(host?.cools_until ?? "");
      return host?.probe_task === null && untilMs > (await readNow()) && (await isAwaited(worker));
    }, GIVE_TIME)
    .toBe(true);
  return untilMs;
}

async function isAwaited({ context }: TestWorker): Promise<boolean> {
  const waiting = context.db.selectFrom("job_videos").select("id").where("waiting_since", "is not", null);
  return (await waiting.where("status", "=", "Queued").executeTakeFirst()) !== undefined;
}

/** Advances the clock until the outage has lasted `minutes`. Returns each cooldown in milliseconds. */
export async function advanceTime(worker: TestWorker, clock: AheadClock, minutes: number): Promise<number[]> {
  const cooldowns: number[] = [];
  while (clock.aheadMs < minutes * MINUTE_MS) {
    const leftMs = (await waitUntilCoolingDown(worker, clock)) - (await clock.readNow());
    cooldowns.push(leftMs);
    clock.aheadMs += leftMs;
    // The worker's own check, up to a second earlier.
    await wakeWaiting(worker.context, clock.readNow);
  }
  return cooldowns;
}
