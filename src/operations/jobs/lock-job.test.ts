/** Changes of one job at the same time. Only a server runs transactions concurrently. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { JOB_LIMITS, type Job } from "#contract/jobs/jobs.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { planOutputs } from "./create/plan-outputs.ts";
import { holdJob } from "./order/change-waiting-job.ts";
import { readJob, readJobVideos } from "./read/read-job.ts";
import { claimVideo } from "./videos/claim-video.ts";
import { endVideo } from "./videos/end-video.ts";

const LONG_TIMEOUT = { timeout: 180_000 };

let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker({ openDatabase: openPostgresDatabase });
});
afterAll(() => worker[Symbol.asyncDispose]());

async function create(videos: number): Promise<{ job: Job; attempts: Parameters<typeof endVideo>[1][] }> {
  const links = Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/v${i}/view`);
  const job = await worker.create({ input_videos: links });
  const rows = await readJobVideos(worker.context, job.id);
  return { job, attempts: rows.map(({ id }) => ({ jobId: job.id, videoId: id, attempt: 1 })) };
}

const claim = (attempt: Parameters<typeof endVideo>[1]) =>
  claimVideo(worker.context, { ...attempt, startTag: 0 }, attempt.attempt);
const plan = (attempt: Parameters<typeof endVideo>[1], count = 1) => {
  const outputs = Array.from({ length: count }, (_, segment) => ({
    ...{ variant: 0, segment, name: `${attempt.videoId}-${segment}.mp4`, caption: null, track: null },
  }));
  return planOutputs(worker.context, { ...attempt, name: "clip.mp4", durationSeconds: 1 }, outputs);
};
const end = (attempt: Parameters<typeof endVideo>[1]) => endVideo(worker.context, attempt, { status: "Completed" });

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = sql`select from pg_stat_activity where wait_event = 'advisory'`;
  return (await waiting.execute(worker.context.db)).rows.length > 0;
}

it("lets other videos begin, plan and end while one of them changes, and a hold waits", LONG_TIMEOUT, async () => {
  const { db } = worker.context;
  const { job, attempts } = await create(4);
  await claim(attempts[0]!);
  const hold = await db.transaction().execute(async (trx) => {
    await sql`select from share_job(${job.id})`.execute(trx);
    await sql`update job_videos set stage = 'Rendering' where id = ${attempts[0]!.videoId}`.execute(trx);
    for (const attempt of attempts.slice(1, 3)) {
      await claim(attempt);
      await plan(attempt);
      expect(await end(attempt)).toBe(true);
    }
    expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Processing", current_video: 3 });
    const holding = holdJob({ ...worker.context, actor: TERMINAL }, job.id);
    await expect.poll(isSomebodyWaiting).toBe(true);
    expect(await readJob(worker.context, job.id)).toMatchObject({ held_at: null });
    return { holding };
  });
  expect(await hold.holding).toMatchObject({ held_at: expect.any(String) });
});

it("ends a job once when many videos end at the same time, some while others begin", LONG_TIMEOUT, async () => {
  const { db } = worker.context;
  const { job, attempts } = await create(60);
  await Promise.all(attempts.slice(0, 30).map(claim));
  const late = async (attempt: Parameters<typeof endVideo>[1]) => {
    await claim(attempt);
    return end(attempt);
  };
  const ended = await Promise.all(attempts.map((attempt, i) => (i < 30 ? end(attempt) : late(attempt))));
  expect(ended).toEqual(attempts.map(() => true));
  const events = await sql<{ status: string }>`
    select status from job_events where job_id = ${job.id} and video_id is null order by id`.execute(db);
  // None has a file.
  expect(events.rows.map(({ status }) => status)).toEqual(["Queued", "Processing", "Failed"]);
  expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Failed", current_video: 60 });
});

it("keeps to the limit of files when videos are planned at the same time", LONG_TIMEOUT, async () => {
  const { attempts } = await create(4);
  await Promise.all(attempts.map(claim));
  const most = JOB_LIMITS.outputs / 2;
  const planned = await Promise.allSettled(attempts.map((attempt) => plan(attempt, most)));
  expect(planned.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  // What was rejected does not count.
  const { rows } = await sql<{ planned: number }>`
    select sum(planned_outputs)::int as planned from job_videos where job_id = ${attempts[0]!.jobId}`.execute(
    worker.context.db,
  );
  expect(rows[0]!.planned).toBe(JOB_LIMITS.outputs);
});
