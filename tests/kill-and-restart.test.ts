/** Covers a second process on one data directory, kill -9 during a job, a restart, and Ctrl-C. */
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFaultJobs, requireIntact, requireNothingLeft, type FaultJobs } from "#tests/support/faults/fault-job.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { makeSlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { isOnBucket } from "#tests/support/servers/shared-servers.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { PASSWORD, runClipmillToItsEnd, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

const folder = await makeScratchFolder();
const dataDir = path.join(folder, "data");
const scratch = path.join(dataDir, "scratch");
let jobs: FaultJobs;

beforeAll(async () => {
  jobs = await openFaultJobs(folder);
});
afterAll(() => jobs.close());

async function readSamples(client: SupabaseClient, jobId: string): Promise<unknown[] | null> {
  const columns = "id, status, size_bytes, updated_at";
  return (await client.from("job_outputs").select(columns).eq("job_id", jobId).order("id").throwOnError()).data;
}

it.skipIf(isOnBucket)(
  "rejects a second process, completes a job after kill -9 and a restart, keeps samples waiting, and stops on Ctrl-C",
  async () => {
    const ffmpeg = await makeSlowFfmpeg(folder);
    const environment = { ...jobs.environment, ...ffmpeg.environment };
    const before = await startInstalledClipmill(dataDir, environment);
    const client = await signedInClient(before.url);
    const proof = await createJob(client, { ...jobs.request("Samples"), proof_count: 1 });
    const isWaiting = async () => (await readJob(client, proof.id)).awaiting_approval;
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
    const samples = await readSamples(client, proof.id);
    // Longer than the second process takes to exit.
    await ffmpeg.slowDown(30);
    const job = await createJob(client, jobs.request("Killed"));
    await expect.poll(() => processesNaming(scratch), { timeout: 60_000 }).not.toEqual([]);

    const second = await runClipmillToItsEnd(dataDir, environment);
    expect(second.code).toBe(1);
    // With a database on a server, the message names the program, because each has its own data directory.
    expect(second.stderr.replace("Clipmill server", "Clipmill")).toBe(
      `Another Clipmill is already running on ${dataDir}; stop it, or set DATA_DIR to another folder.\n`,
    );
    expect((await fetch(`${before.url}/health`)).status).toBe(200);
    expect(await readJob(client, job.id)).toMatchObject({ status: "Processing" });
    expect(await processesNaming(scratch)).not.toEqual([]);

    await before.kill();
    await expect.poll(() => processesNaming(scratch), { message: "no ffmpeg of the dead process is left" }).toEqual([]);
    await ffmpeg.hurry();
    const after = await startClipmillProcess(dataDir, environment);
    try {
      const again = await signedInClient(after.url);
      await expect.poll(() => hasEnded(again, job.id), { timeout: 120_000 }).toBe(true);
      await requireIntact(again, job.id, path.join(dataDir, "files"));
      expect(await readJob(again, proof.id)).toMatchObject({ awaiting_approval: true, status: "Processing" });
      expect(await readSamples(again, proof.id)).toEqual(samples);
      await again.functions.invoke("jobs?action=approve", { body: { jobId: proof.id } });
      await expect.poll(() => hasEnded(again, proof.id), { timeout: 120_000 }).toBe(true);
      await requireIntact(again, proof.id, path.join(dataDir, "files"));
      await requireNothingLeft(scratch);
      // Forwarded by terminal, npm and launcher.
      for (let echo = 0; echo < 3; echo += 1) process.kill(after.pid, "SIGINT");
      expect(await after.ended()).toBe(0);
    } finally {
      await after.kill();
    }
  },
  300_000,
);

it("rejects an invalid configuration and names every invalid setting", async () => {
  const rejected = await runClipmillToItsEnd(path.join(folder, "faulty"), {
    PORT: "abc",
    LOG_LEVEL: "loud",
    ADMIN_PASSWORD: PASSWORD,
  });
  expect(rejected.code).toBe(1);
  expect(rejected.stderr).toContain("PORT");
  expect(rejected.stderr).toContain("LOG_LEVEL");
});
