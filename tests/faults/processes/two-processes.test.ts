import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import {
  type ClipmillProcess,
  runClipmillToItsEnd,
  startClipmillProcess,
} from "#tests/support/servers/clipmill-process.ts";
import { type FaultJobs, openFaultJobs, requireIntact } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const dataDir = path.join(folder, "data");
let jobs: FaultJobs;
let clipmill: ClipmillProcess;
const earlier: string[] = [];

beforeAll(async () => {
  jobs = await openFaultJobs(folder);
  clipmill = await startInstalledClipmill(dataDir, jobs.environment);
}, 180_000);

afterAll(async () => {
  await clipmill.stop();
  await jobs.close();
});

testFault(
  {
    id: "two-processes",
    fault: "a second process starts on the data directory of a running one during a job",
    expected:
      "the second exits with a one-sentence error; the job ends Completed, and all data is there after a restart",
    // tests/kill-and-restart.test.ts starts one during a job.
    rounds: { short: 0, full: 5 },
    secondsPerRound: 90,
  },
  startTwice,
);

async function startTwice(round: number): Promise<void> {
  const client = await signedInClient(clipmill.url);
  const job = await createJob(client, jobs.request(`Round ${round}`));
  const second = await runClipmillToItsEnd(dataDir, jobs.environment);
  expect(second).toEqual({
    code: 1,
    stderr: `Another Clipmill is already running on ${dataDir}; stop it, or set DATA_DIR to another folder.\n`,
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  await requireIntact(client, job.id, path.join(dataDir, "files"));
  earlier.push(job.id);
  expect(await clipmill.stop()).toBe(0);
  clipmill = await startClipmillProcess(dataDir, jobs.environment);
  const again = await signedInClient(clipmill.url);
  for (const id of earlier) expect(await readJob(again, id)).toMatchObject({ status: "Completed", retry_count: 0 });
  await requireIntact(again, job.id, path.join(dataDir, "files"));
}
