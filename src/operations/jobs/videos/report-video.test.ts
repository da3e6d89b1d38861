import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { VideoStage } from "#contract/jobs/jobs.ts";
import { type Change, CHANGES_CHANNEL, parseChanges } from "#database/changes.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { claimVideo } from "./claim-video.ts";
import { endVideo } from "./end-video.ts";
import { planOutputs } from "../create/plan-outputs.ts";
import { readJob, readJobOutputs, readJobVideos } from "../read/read-job.ts";
import { reportVideo } from "./report-video.ts";

let worker: Awaited<ReturnType<typeof openTestWorker>>;
beforeEach(async () => {
  worker = await openTestWorker({ openDatabase: openPostgresDatabase });
});
afterEach(() => worker[Symbol.asyncDispose]());

/** Creates a job with as many videos, each claimed and with one output. Returns their reports. */
async function startVideos(count: number) {
  const { context } = worker;
  const links = Array.from({ length: count }, (_, i) => `https://drive.google.com/file/d/abc${i}/view`);
  const job = await worker.create({ input_videos: links });
  const reports: ((share: number, stage?: VideoStage) => Promise<void>)[] = [];
  const ends: (() => Promise<boolean>)[] = [];
  for (const { id: videoId } of await readJobVideos(context, job.id)) {
    const attempt = { jobId: job.id, videoId, attempt: 1 };
    await claimVideo(context, { ...attempt, startTag: 0 }, 1);
    const planned = [{ variant: 0, segment: 0, name: `${videoId}.mp4`, caption: null, track: null }];
    const [output] = (await planOutputs(context, { ...attempt, name: "clip.mp4", durationSeconds: 10 }, planned))!;
    reports.push((share, stage = "Rendering") =>
      reportVideo(context, { ...attempt, stage, share, outputs: new Map([[output!.id, share]]) }),
    );
    ends.push(() => endVideo(context, attempt, { status: "Completed" }));
  }
  return { job, reports, ends };
}

it("does not make a completion look older that began before the report and was written after it", async () => {
  const { context } = worker;
  const { job, reports } = await startVideos(1);
  const [report] = reports as [(typeof reports)[0]];
  const changedAt = async () => {
    const [ownJob, videos, outputs] = [
      await readJob(context, job.id),
      await readJobVideos(context, job.id),
      await readJobOutputs(context, job.id),
    ];
    return [ownJob!, videos[0]!, outputs[0]!].map(({ updated_at }) => Date.parse(updated_at));
  };
  let reported: number[] = [];
  await context.db.transaction().execute(async (trx) => {
    const now = sql<string>`now()`;
    await sql`select ${now}, pg_sleep(0.01)`.execute(trx);
    await report(1);
    reported = await changedAt();
    await trx
      .updateTable("job_outputs")
      .set({ status: "Completed", updated_at: now })
      .where("job_id", "=", job.id)
      .execute();
    await trx
      .updateTable("job_videos")
      .set({ status: "Completed", updated_at: now })
      .where("job_id", "=", job.id)
      .execute();
    await trx.updateTable("jobs").set({ progress: 100, updated_at: now }).where("id", "=", job.id).execute();
  });
  for (const [i, at] of (await changedAt()).entries()) expect(at).toBeGreaterThan(reported[i]!);
});

it("does not wait for a lock on the job, and updates its progress with the next report", async () => {
  const { context } = worker;
  const { job, reports } = await startVideos(1);
  const report = reports[0]!;
  const progress = async () => [
    (await readJob(context, job.id))!.progress,
    (await readJobVideos(context, job.id))[0]!.progress,
    (await readJobOutputs(context, job.id))[0]!.progress,
  ];

  await context.db.transaction().execute(async (trx) => {
    await sql`select from jobs where id = ${job.id} for update`.execute(trx);
    await report(0.5);
    expect(await progress()).toEqual([0, 50, 50]);
  });
  await report(0.6);
  expect(await progress()).toEqual([60, 60, 60]);
  // A stale attempt's report changes nothing.
  const [video] = await readJobVideos(context, job.id);
  const stale = {
    jobId: job.id,
    videoId: video!.id,
    attempt: 2,
    stage: "Rendering",
    share: 0.9,
    outputs: new Map(),
  } as const;
  await reportVideo(context, stale);
  expect(await progress()).toEqual([60, 60, 60]);
});

it("sends the progress of all videos with the job's, and a new stage at once", async () => {
  const { context, database } = worker;
  const { job, reports } = await startVideos(2);
  const [first, second] = reports as [(typeof reports)[0], (typeof reports)[0]];
  for (const report of reports) await report(0.1);
  const notices: Change[][] = [];
  const stop = await database.listen(CHANGES_CHANNEL, (payload) => notices.push(parseChanges(payload)));
  /** What has been sent since the last call: notices arrive in order. */
  const sent = async () => {
    const mark = crypto.randomUUID();
    await sql`select pg_notify(${CHANGES_CHANNEL}, ${JSON.stringify({ ids: [mark] })})`.execute(context.db);
    await expect.poll(() => notices.at(-1)?.[0]?.id).toBe(mark);
    const changes = notices.splice(0).slice(0, -1).flat();
    return changes.map(({ table, isProgress }) => `${table} ${isProgress}`).toSorted();
  };
  const letGapPass = () => sql`update jobs set progress_at = null where id = ${job.id}`.execute(context.db);

  await context.db.transaction().execute(async (trx) => {
    // Who has the job's row writes its progress.
    await sql`select from jobs where id = ${job.id} for update`.execute(trx);
    await first(0.3);
  });
  expect(await sent()).toEqual([]);
  await letGapPass();
  await sent();
  await second(0.3);
  const all = ["job_outputs true", "job_outputs true", "job_videos true", "job_videos true", "jobs true"];
  expect(await sent()).toEqual(all);
  await second(0.4, "Fetching");
  expect(await sent()).toContain("job_videos true");
  await stop();
});

it("counts an ended video at once, or with the next report of another one", async () => {
  const { job, reports, ends } = await startVideos(3);
  const countCurrent = async () => (await readJob(worker.context, job.id))!.current_video;
  await reports[1]!(0.5);
  await ends[0]!();
  await expect
    .poll(async () => {
      await reports[1]!(0.6);
      return countCurrent();
    })
    .toBe(2);
  await ends[1]!();
  expect(await countCurrent()).toBe(3);
});
