import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import type { Database } from "#database/open-database.ts";
import type { Queue } from "#queue/open-queue.ts";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { testFailure } from "#tests/support/test-failure.ts";
import { endVideo } from "./videos/end-video.ts";

/** Failed jobs deliver nothing. */
const NO_QUEUE = {} as Queue;
/** Only a server runs transactions concurrently. */
const ROUNDS = isFullRun ? 1_000 : 100;

describe("the last videos of a job", () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgresDatabase();
  });
  afterAll(() => database.close());

  it("end it exactly once when they end at the same time", async () => {
    const { db } = database;
    const rounds = ROUNDS;
    const jobs = await makeRunningJobs(database, rounds);
    // Ten jobs at a time, both last videos of each together.
    for (let start = 0; start < jobs.length; start += 10) {
      const ends = jobs
        .slice(start, start + 10)
        .flatMap(({ jobId, videoIds }) =>
          videoIds.map((videoId) =>
            endVideo(
              { db, queue: NO_QUEUE },
              { jobId, videoId, attempt: 1 },
              { status: "Failed", failure: testFailure("No.") },
            ),
          ),
        );
      expect(await Promise.all(ends)).toEqual(ends.map(() => true));
    }
    const { rows } = await sql`
      select jobs.status, jobs.current_video, jobs.error_message, count(job_events.id) as finals
      from jobs left join job_events
        on job_events.job_id = jobs.id and video_id is null and job_events.status in ('Completed', 'Failed')
      group by jobs.id`.execute(db);
    const wanted = { status: "Failed", current_video: 2, finals: 1 };
    expect(rows).toHaveLength(rounds);
    for (const row of rows) expect(row).toMatchObject(wanted);
  });
});

/** Creates jobs of two videos, both in their first attempt. */
async function makeRunningJobs({ db }: Database, count: number): Promise<{ jobId: string; videoIds: string[] }[]> {
  await sql`
    insert into jobs (job_name, status, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos)
    select 'Job ' || i, 'Processing', '{a,b}', false, '{}', false, '{}', 'replace', false, 1, 1, 1, true, 30, true, 2
    from generate_series(1, ${count}::int) i`.execute(db);
  await sql`
    insert into job_videos (job_id, position, link, status, attempts)
    select jobs.id, position, 'a', 'Processing', 1 from jobs, generate_series(0, 1) position`.execute(db);
  const { rows } = await sql<{ jobId: string; videoIds: string[] }>`
    select job_id as "jobId", json_agg(id) as "videoIds" from job_videos group by job_id`.execute(db);
  return rows;
}
