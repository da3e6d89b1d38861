import { expect, vi } from "vitest";
import { requireIntact } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { type ScaledJob, startScaledJob } from "#tests/support/faults/scaled-job.ts";
import { injectFaultsBeforeAll } from "#tests/support/faults/worker-rounds.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";

/** Of two videos each, so that the load needs all workers. */
const JOBS = 10;
const MOST_WORKERS = 20;
/** Workers look for jobs for ten seconds. */
const MOST_SECONDS_IDLE = 15;

const disturbed = await injectFaultsBeforeAll();

// src/worker/fleet/watch-idle.test.ts and tests/fleet cover --until-idle in `npm test`.
testFault(
  {
    id: "scale-to-zero",
    fault: `0 to ${MOST_WORKERS} workers and back, started by the queue's load; SIGTERM one and SIGKILL another at random`,
    expected: `all jobs Completed, exactly their outputs, no worker alive ${MOST_SECONDS_IDLE} s after the last work`,
    rounds: { short: 0, full: 50 },
    secondsPerRound: 600,
  },
  scaleUpAndDown,
);

async function endTwoWorkers(scaled: ScaledJob): Promise<void> {
  await vi.waitUntil(() => scaled.running().length >= 2, { timeout: 120_000, interval: 20 });
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5_000));
  const [first, second] = scaled.running().toSorted(() => Math.random() - 0.5);
  await Promise.all([first?.stop(), second?.kill()]);
}

async function scaleUpAndDown(round: number): Promise<Record<string, number>> {
  const { fleet, server, jobs, database } = disturbed();
  const client = await signedInClient(server.url);
  const scaled = startScaledJob({
    readLoad: async () => (await database.query<{ load: number }>("select queue_load() as load")).rows[0]!.load,
    startWorker: () => fleet.start("worker", { words: ["--until-idle"] }),
    most: MOST_WORKERS,
  });
  try {
    const marks = Array.from({ length: JOBS }, (_, i) => `scale-to-zero, round ${round}, job ${i}`);
    const created = await Promise.all(marks.map((mark) => createJob(client, jobs.request(mark))));
    await endTwoWorkers(scaled);
    for (const { id } of created) await vi.waitUntil(() => hasEnded(client, id), { timeout: 400_000, interval: 500 });
    const endedMs = performance.now();
    for (const { id } of created) await requireIntact(client, id, fleet.storageRoot);
    await vi.waitUntil(() => scaled.running().length === 0, { timeout: 60_000, interval: 100 });
    const secondsIdle = (performance.now() - endedMs) / 1_000;
    expect(secondsIdle).toBeLessThanOrEqual(MOST_SECONDS_IDLE);
    // Only the killed worker has no exit code.
    expect(scaled.exitCodes().filter((code) => code !== 0)).toEqual([null]);
    return { "workers at the same time": scaled.peak(), "seconds until no worker runs": secondsIdle };
  } finally {
    await scaled.stop();
  }
}
