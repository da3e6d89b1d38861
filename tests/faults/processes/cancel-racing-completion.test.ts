import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { ALREADY_FINISHED, isFinal } from "#contract/jobs/jobs.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { foldersOf } from "#operations/jobs/job-folders.ts";
import { readJob, readJobEvents, readJobVideos } from "#operations/jobs/read/read-job.ts";
import type { Measured } from "#tests/support/faults/fault-figures.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

/** Distance of cancels from the target moment. */
const SPREAD_MS = 60;
const STEP_MS = 15;

type Race = {
  worker: TestWorker | null;
  /** In milliseconds after creation; adjusted every round, so that about half of the cancels come too late. */
  aimMs: number;
};

const race: Race = { worker: null, aimMs: 0 };

afterAll(() => race.worker?.[Symbol.asyncDispose]());

testFault(
  {
    id: "cancel-racing-completion",
    fault: "a job is canceled around the moment it completes",
    expected: "one final state, which the response reports; consistent rows; no process or scratch file left",
    rounds: { short: 3, full: 500 },
    secondsPerRound: 60,
  },
  async () => {
    if (!race.worker) {
      race.worker = await open();
      race.aimMs = await timeJob(race.worker);
    }
    return cancelNearCompletion(race, race.worker);
  },
);

async function cancelNearCompletion(race: Race, worker: TestWorker): Promise<Measured> {
  const { context, folder, twin } = worker;
  const job = await worker.create({ input_videos: [twin.links("clip")] });
  const momentMs = Math.max(0, race.aimMs + (Math.random() * 2 - 1) * SPREAD_MS);
  await new Promise((resolve) => setTimeout(resolve, momentMs));
  const result = await cancelJob(context, job.id);
  const wasCancelled = result.success;
  race.aimMs += wasCancelled ? STEP_MS : -STEP_MS;
  try {
    await requireConsistentEnd(worker, job.id, wasCancelled);
    if (!result.success) expect(result.error).toBe(ALREADY_FINISHED);
    const scratch = path.join(folder, "scratch");
    expect(await processesNaming(scratch)).toEqual([]);
    expect(await readdir(scratch)).toEqual([]);
  } catch (cause) {
    const moment = `cancelled after ${momentMs.toFixed(0)} ms, ${JSON.stringify(result)}`;
    throw new Error(`${moment}: ${String(cause)}`, { cause });
  }
  return { "cancels that came in time": wasCancelled };
}

async function open(): Promise<TestWorker> {
  const worker = await openTestWorker({ openDatabase: openPostgresDatabase });
  const file = path.join(worker.folder, "clip.mp4");
  await makeClip(file, { width: 64, height: 64, seconds: 0.2, framesPerSecond: 10 });
  worker.twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4" });
  await worker.start();
  return worker;
}

/** In milliseconds. Ignores a first job, which also loads and compiles code. */
async function timeJob(worker: TestWorker): Promise<number> {
  let milliseconds = 0;
  for (let i = 0; i < 2; i += 1) {
    const startedMs = performance.now();
    await worker.finish(await worker.create({ input_videos: [worker.twin.links("clip")] }));
    milliseconds = performance.now() - startedMs;
  }
  return milliseconds;
}

/** Compares the response, the job, its events, its video, its outputs and its files. */
async function requireConsistentEnd(
  { context, folder }: TestWorker,
  jobId: string,
  wasCancelled: boolean,
): Promise<void> {
  const status = wasCancelled ? "Cancelled" : "Completed";
  const job = (await readJob(context, jobId))!;
  expect(job.status).toBe(status);
  const ends = (await readJobEvents(context, jobId)).filter((event) => isFinal(event.status));
  expect(ends.filter((event) => event.video_id === null).map((event) => event.status)).toEqual([status]);
  const [video] = await readJobVideos(context, jobId);
  expect(ends.filter((event) => event.video_id !== null).map((event) => event.status)).toEqual([video!.status]);
  expect(video!.status).toBe(status);
  const outputs = await context.db.selectFrom("job_outputs").selectAll().where("job_id", "=", jobId).execute();
  if (!wasCancelled) expect(outputs.map((output) => output.status)).toEqual(["Completed"]);
  // A file finished before the cancel is kept.
  expect(outputs.every((output) => isFinal(output.status))).toBe(true);
  const stored = outputs.filter((output) => output.status === "Completed").map((output) => output.storage_key);
  const below = foldersOf({ id: jobId, output_folder: null }).outputs;
  const files = await readdir(path.join(folder, "files", below)).catch(() => []);
  expect(files.map((name) => `${below}/${name}`)).toEqual(stored);
}
