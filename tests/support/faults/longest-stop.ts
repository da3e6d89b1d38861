import { setTimeout as delay } from "node:timers/promises";

/**
 * The longest time, in milliseconds of this thread's processor, that `work` keeps the event loop from turning. Processor time,
 * since on a busy machine every thread waits for its turn.
 */
export async function longestStop(work: () => Promise<unknown>): Promise<number> {
  const working = new AbortController();
  let longest = 0;
  let before = process.threadCpuUsage();
  const done = work().finally(() => working.abort());
  while (!working.signal.aborted) {
    // a loop that spins would take the processor from what is measured
    await delay(1);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }
  await done;
  return longest;
}
