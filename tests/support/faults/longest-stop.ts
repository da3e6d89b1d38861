import { setTimeout as delay } from "node:timers/promises";

/**
 * Returns the longest time that `work` blocks the event loop, in milliseconds of this thread's CPU time. Wall time
 * would include waiting for the CPU on a busy machine.
 */
export async function longestStop(work: () => Promise<unknown>): Promise<number> {
  const working = new AbortController();
  let longest = 0;
  let before = process.threadCpuUsage();
  const done = work().finally(() => working.abort());
  while (!working.signal.aborted) {
    // A busy loop would take CPU time from the measured work.
    await delay(1);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }
  await done;
  return longest;
}
