/** A worker is killed without cleanup, so only the queue can notice. */
import path from "node:path";
import { expect, vi } from "vitest";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { requireIntact, requireNothingLeft, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { injectFaultsBeforeAll, waitForEncoder } from "#tests/support/faults/worker-rounds.ts";

const MOST_SECONDS = 15;

const disturbed = await injectFaultsBeforeAll();

testFault(
  {
    id: "notice",
    fault: "SIGKILL a worker while a second worker is idle",
    expected: `the second worker has restarted the video within ${MOST_SECONDS} s; exactly its outputs, all intact`,
    rounds: { short: 1, full: 20 },
    secondsPerRound: 120,
  },
  killAndWait,
);

async function killAndWait(round: number): Promise<Record<string, number>> {
  const { fleet, server, jobs, ffmpeg } = disturbed();
  const client = await signedInClient(server.url);
  const killed = await fleet.start("worker");
  const scratch = path.join(killed.dataDir, "scratch");
  await ffmpeg.slowDown(120);
  const job = await createJob(client, jobs.request(`notice ${round}`));
  await waitForEncoder(scratch);
  await ffmpeg.hurry();
  const other = await fleet.start("worker");
  try {
    await killed.kill();
    const killedMs = performance.now();
    const attempts = async () => (await rowsOf<JobVideo>(client, "job_videos", job.id)).map((video) => video.attempts);
    await vi.waitUntil(async () => (await attempts()).includes(2), { timeout: 60_000, interval: 50 });
    const seconds = (performance.now() - killedMs) / 1_000;
    expect(seconds, "seconds until restarted").toBeLessThanOrEqual(MOST_SECONDS);
    await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
    await requireIntact(client, job.id, fleet.storageRoot);
    await requireNothingLeft(path.join(other.dataDir, "scratch"));
    expect(await processesNaming(scratch), "programs of the killed worker").toEqual([]);
    return { "seconds until restarted on the second worker": seconds };
  } finally {
    await Promise.all([killed.kill(), other.kill()]);
  }
}
