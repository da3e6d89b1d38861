/** Stops a worker for longer than its lease, as when a machine sleeps or swaps, and then continues it. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { requireIntact, requireNothingLeft, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import type { Fleet } from "#tests/support/servers/fleet.ts";
import { injectFaultsBeforeAll, waitForEncoder } from "#tests/support/faults/worker-rounds.ts";

const STOPPED_SECONDS = 30;

const disturbed = await injectFaultsBeforeAll();

testFault(
  {
    id: "sigstop",
    fault: `SIGSTOP a worker for ${STOPPED_SECONDS} s during a job, then SIGCONT`,
    expected: "another worker takes over; the late result is rejected; one file per output, all intact",
    // kill-programs.test.ts tests the takeover, report-video.test.ts and order-in-queue.test.ts a late result, and
    // network.test.ts a worker that outlives its lease.
    rounds: { short: 0, full: 20 },
    secondsPerRound: 150,
  },
  holdUp,
);

async function holdUp(round: number): Promise<void> {
  const { fleet, server, jobs, ffmpeg } = disturbed();
  const client = await signedInClient(server.url);
  const stopped = await fleet.start("worker");
  // ffmpeg is not stopped and finishes first, so the worker has a late result to report.
  await ffmpeg.slowDown(10);
  const job = await createJob(client, jobs.request(`sigstop ${round}`));
  await waitForEncoder(path.join(stopped.dataDir, "scratch"));
  process.kill(stopped.pid, "SIGSTOP");
  const stoppedMs = performance.now();
  await ffmpeg.hurry();
  const other = await fleet.start("worker");
  try {
    await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
    await requireIntact(client, job.id, fleet.storageRoot);
    const before = { outputs: await readOutputs(client, job.id), files: await readFiles(fleet, job.id) };
    await delay(STOPPED_SECONDS * 1_000 - (performance.now() - stoppedMs));
    process.kill(stopped.pid, "SIGCONT");
    await requireNothingLeft(path.join(stopped.dataDir, "scratch"));
    // Completing another job shows that the worker is done with this one.
    await other.kill();
    const next = await createJob(client, jobs.request(`after sigstop ${round}`));
    await vi.waitUntil(() => hasEnded(client, next.id), { timeout: 60_000 });
    await requireIntact(client, next.id, fleet.storageRoot);
    await requireIntact(client, job.id, fleet.storageRoot);
    const after = { outputs: await readOutputs(client, job.id), files: await readFiles(fleet, job.id) };
    expect(after).toEqual(before);
  } finally {
    await Promise.all([stopped.kill(), other.kill()]);
  }
}

/** Links are signed again on every read. */
async function readOutputs(client: Parameters<typeof rowsOf>[0], jobId: string): Promise<Partial<JobOutput>[]> {
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", jobId);
  return outputs
    .map(({ media_url: _media, thumbnail_url: _thumbnail, ...output }) => output)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Inode and modification time reveal replaced files. */
async function readFiles({ storageRoot }: Fleet, jobId: string): Promise<Record<string, unknown>> {
  const folder = path.join(storageRoot, "outputs", jobId);
  const names = await readdir(folder, { recursive: true });
  const facts = await Promise.all(names.toSorted().map((name) => stat(path.join(folder, name))));
  return Object.fromEntries(names.toSorted().map((name, i) => [name, [facts[i]!.ino, facts[i]!.mtimeMs]]));
}
