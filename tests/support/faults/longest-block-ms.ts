import { setTimeout as delay } from "node:timers/promises";

/** In milliseconds of this thread's CPU time; wall time would include waits for a busy CPU. */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
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
