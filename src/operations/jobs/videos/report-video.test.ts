import { sql } from "kysely";
import { expect, it } from "vitest";
import { TEST_DATABASES } from "#tests/support/servers/postgres.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { claimVideo } from "./claim-video.ts";
import { planOutputs } from "../create/plan-outputs.ts";
import { readJob, readJobOutputs, readJobVideos } from "../read/read-job.ts";
import { reportVideo } from "./report-video.ts";

const [, openPostgresDatabase] = TEST_DATABASES[1]!;

it(
  "does not wait for a lock on the job, and updates its progress with the next report",
  { timeout: 180_000 },
  async () => {
    await using worker = await openTestWorker({ openDatabase: openPostgresDatabase });
    const { context } = worker;
    const job = await worker.create({ input_videos: ["https://drive.google.com/file/d/abc/view"] });
    const [video] = await readJobVideos(context, job.id);
    const attempt = { jobId: job.id, videoId: video!.id, attempt: 1 };
    await claimVideo(context, { ...attempt, startTag: 0 }, 1);
    const facts = { ...attempt, name: "clip.mp4", durationSeconds: 10 };
    const planned = [{ variant: 0, segment: 0, name: "0.mp4", caption: null, track: null }];
    const [output] = (await planOutputs(context, facts, planned))!;
    const report = (share: number) =>
      reportVideo(context, { ...attempt, stage: "Rendering", share, outputs: new Map([[output!.id, share]]) });
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
    await reportVideo(context, { ...attempt, attempt: 2, stage: "Rendering", share: 0.9, outputs: new Map() });
    expect(await progress()).toEqual([60, 60, 60]);
  },
);
