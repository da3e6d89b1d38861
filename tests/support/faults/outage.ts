/** Hours of an outage in seconds: the workers' clock runs ahead, to the end of each rest. */
import { expect } from "vitest";
import type { TestWorker } from "../servers/worker.ts";

export const MINUTE_MS = 60_000;
const GIVE_TIME = { timeout: 30_000, interval: 20 };

/** A clock that a test puts ahead of the true one. */
export type AheadClock = { aheadMs: number; readNow: () => Promise<number> };

export function createAheadClock(): AheadClock {
  const clock: AheadClock = { aheadMs: 0, readNow: async () => Date.now() + clock.aheadMs };
  return clock;
}

/** Returns the host that does not answer, if one does not. A test breaks one at a time. */
export function readHost({ context }: TestWorker) {
  return context.db.selectFrom("hosts").selectAll().executeTakeFirst();
}

/** Waits until the host rests and no task tries it. Returns when the next one may, in milliseconds since 1970. */
export async function untilResting(worker: TestWorker, { readNow }: AheadClock): Promise<number> {
  let untilMs = 0;
  await expect
    .poll(async () => {
      const host = await readHost(worker);
      untilMs = Date.parse(host?.rests_until ?? "");
      return host?.probe_task === null && untilMs > (await readNow());
    }, GIVE_TIME)
    .toBe(true);
  return untilMs;
}

/** Lets time pass until the host has been away for so long. Returns how long it rested each time, in milliseconds. */
export async function passTime(worker: TestWorker, clock: AheadClock, minutes: number): Promise<number[]> {
  const rests: number[] = [];
  while (clock.aheadMs < minutes * MINUTE_MS) {
    const leftMs = (await untilResting(worker, clock)) - (await clock.readNow());
    rests.push(leftMs);
    clock.aheadMs += leftMs;
  }
  return rests;
}
