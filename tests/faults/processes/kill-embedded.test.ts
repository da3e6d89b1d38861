import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect } from "vitest";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { openFaultJobs, requireIntact, requireNothingLeft, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const dataDir = path.join(folder, "data");
const jobs = await openFaultJobs(folder);
let clipmill: ClipmillProcess | null = null;
/** Duration of an undisturbed job. */
let jobMs = 0;

afterAll(async () => {
  await clipmill?.stop();
  await jobs.close();
});

testFault(
  {
    id: "kill-all-embedded",
    fault: "SIGKILL everything at a random moment of a job (embedded database)",
    expected: "resumed right after the restart; Completed, exactly its outputs, all intact, no leftovers",
    // tests/kill-and-restart.test.ts kills it while it encodes.
    rounds: { short: 0, full: 100 },
    secondsPerRound: 120,
  },
  killAndRestart,
);

async function killAndRestart(round: number): Promise<Record<string, number>> {
  if (!clipmill) clipmill = await startInstalledClipmill(dataDir, jobs.environment);
  const client = await signedInClient(clipmill.url);
  if (jobMs === 0) jobMs = await measureUndisturbed(client);
  const job = await createJob(client, jobs.request(`Round ${round}`));
  const momentMs = Math.random() * jobMs;
  try {
    await new Promise((resolve) => setTimeout(resolve, momentMs));
    await clipmill.kill();
    clipmill = await startClipmillProcess(dataDir, jobs.environment);
    const readyMs = performance.now();
    const again = await signedInClient(clipmill.url);
    const cutOff = (await rowsOf<JobVideo>(again, "job_videos", job.id)).filter(
      (video) => video.status === "Processing",
    );
    const isAtWork = async (): Promise<boolean> => {
      const videos = await rowsOf<JobVideo>(again, "job_videos", job.id);
      return cutOff.every(({ id, attempts }) =>
        videos.some((video) => video.id === id && (video.attempts > attempts || video.status === "Completed")),
      );
    };
    await expect.poll(isAtWork, { timeout: 30_000, interval: 25 }).toBe(true);
    const seconds = (performance.now() - readyMs) / 1_000;
    expect(seconds, "seconds until the videos were resumed").toBeLessThan(5);
    await expect.poll(() => hasEnded(again, job.id), { timeout: 30_000 }).toBe(true);
    await requireIntact(again, job.id, path.join(dataDir, "files"));
    await requireNothingLeft(path.join(dataDir, "scratch"));
    return cutOff.length > 0 ? { "seconds until resumed": seconds } : {};
  } catch (cause) {
    throw new Error(`killed after ${momentMs.toFixed(0)} of ${jobMs.toFixed(0)} ms: ${String(cause)}`, { cause });
  }
}

async function measureUndisturbed(client: SupabaseClient): Promise<number> {
  const startedMs = performance.now();
  const job = await createJob(client, jobs.request("Undisturbed"));
  await expect.poll(() => hasEnded(client, job.id), { timeout: 30_000 }).toBe(true);
  return performance.now() - startedMs;
}
