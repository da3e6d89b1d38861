import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { TEST_DATABASES } from "#tests/support/postgres.ts";
import { createLinkSigner } from "../downloads/link-signer.ts";
import { listJobs, listJobsSchema } from "./list-jobs.ts";

describe.each(TEST_DATABASES)("a long list of jobs, %s", (_, open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await sql`
      insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled,
        custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
        segment_duration, download_enabled, total_videos)
      select 'Job ' || i, '{a}', i % 3 = 0, '{}', i % 2 = 0, '{}', 'replace', false, 1, 1, 1, true, 30, true, 1
      from generate_series(1, 12000) i`.execute(database.db);
  });
  afterAll(() => database.close());

  function list(request: Record<string, string>) {
    const context = { db: database.db, links: createLinkSigner("a secret for tests that is long enough") };
    return listJobs(context, listJobsSchema.parse(request));
  }

  it("is counted exactly, however its jobs come, change and go side by side", async () => {
    const { db } = database;
    const counted = async () => (await db.selectFrom("job_counts").select("id").execute()).length;
    expect((await list({})).total).toBe(12_000);
    const fail = (rest: number) =>
      sql`update jobs set status = 'Failed' where right(job_name, 1) = ${String(rest)}`.execute(db);
    await Promise.all([fail(1), fail(2), fail(3)]);
    await sql`delete from jobs where right(job_name, 1) = '3'`.execute(db);
    await sql`update jobs set captions_enabled = true where right(job_name, 1) = '4'`.execute(db);
    const truth = await sql<Record<"all" | "failed" | "captions" | "both", number>>`
      select count(*) as all, count(*) filter (where status = 'Failed') as failed,
        count(*) filter (where captions_enabled) as captions,
        count(*) filter (where status = 'Failed' and audio_enabled) as both from jobs`.execute(db);
    const total = async (request: Record<string, string>) => (await list(request)).total;
    expect({
      all: await total({}),
      failed: await total({ status: "Failed" }),
      captions: await total({ type: "captions" }),
      both: await total({ type: "audio", status: "Failed" }),
    }).toEqual(truth.rows[0]);
    // About every 500th change adds all of them up.
    expect(await counted()).toBeLessThan(2_500);
  });

  it("is searched by pages, and counted as far as 10,001", async () => {
    const many = await list({ search: "job", limit: "2", page: "2" });
    expect(many.total).toBe(10_001);
    expect(many.jobs).toHaveLength(2);
    const few = await list({ search: "JOB 1100", limit: "4" });
    expect(few.total).toBe(10);
    expect(few.jobs).toHaveLength(4);
    const last = await list({ search: "job 1100", limit: "4", page: "3" });
    expect([last.total, last.jobs.length]).toEqual([10, 2]);
    expect(await list({ search: "job 1100", limit: "4", page: "4" })).toEqual({ total: 10, jobs: [] });
    const ids = [...few.jobs, ...(await list({ search: "job 1100", limit: "4", page: "2" })).jobs, ...last.jobs];
    expect(new Set(ids.map((job) => job.id)).size).toBe(10);
  });
});
