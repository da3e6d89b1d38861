import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#database/migrate.ts";
import type { Database } from "#database/open-database.ts";
import { openWithoutTables } from "#tests/support/servers/databases/database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { selectColumns } from "../../select-columns.ts";
import { WHOLE_JOBS } from "./select-jobs.ts";

const VIDEOS = 400;

describe("the waiting and failed videos of jobs", () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgresDatabase();
  });
  afterAll(() => database.close());

  it("are counted exactly while videos change concurrently, and until the job ends in few rows", async () => {
    const { db } = database;
    const [job, other] = [await addJob(database), await addJob(database)];
    expect(await readCounts(database)).toEqual(await countAgain(database));
    const setStatus = (position: number, status: string) =>
      sql`update job_videos set status = ${status} where job_id = ${job} and position = ${position}`.execute(db);
    const change = async (position: number) => {
      await setStatus(position, "Processing");
      if (position % 2 === 0) await setStatus(position, position % 4 === 0 ? "Failed" : "Completed");
      if (position % 8 === 0) await setStatus(position, "Queued");
    };
    await Promise.all(Array.from({ length: VIDEOS - 20 }, (_none, position) => change(position)));
    await sql`delete from job_videos where job_id = ${job} and position % 25 = 0`.execute(db);
    const counted = await readCounts(database);
    expect(counted).toEqual(await countAgain(database));
    expect(counted).toContainEqual({ id: job, waiting_videos: 66, failed_videos: 45 });
    expect(await countRows(database, job)).toBeLessThan(300);

    // An end keeps only what a retry needs.
    await sql`update job_videos set status = 'Failed' where job_id = ${job} and status = 'Queued'`.execute(db);
    await sql`update jobs set status = 'Failed' where id = ${job}`.execute(db);
    expect(await countRows(database, job)).toBe(1);
    await sql`delete from jobs where id in (${job}, ${other})`.execute(db);
    expect(await countRows(database, job)).toBe(0);
  });
});

it("of jobs from before the migration are counted, too", async () => {
  const database = await openWithoutTables();
  await migrate(database.db, "0019-media-of-workers");
  const job = await addJob(database);
  await sql`update job_videos set status = case when position % 4 = 0 then 'Failed' else 'Completed' end
    where position % 2 = 0`.execute(database.db);
  await migrate(database.db);
  expect(await readCounts(database)).toEqual([{ id: job, waiting_videos: 200, failed_videos: 100 }]);
  await database.close();
});

async function addJob({ db }: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with job as (
      insert into jobs (job_name, status, input_videos, captions_enabled, custom_captions, audio_enabled,
        custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
        segment_duration, download_enabled, total_videos)
      values ('Job', 'Processing', '{}', false, '{}', false, '{}', 'replace', false, 1, 1, 1, true, 30, true, ${VIDEOS})
      returning id
    ), videos as (
      insert into job_videos (job_id, position, link)
      select id, position, 'a' from job, generate_series(0, ${VIDEOS}::int - 1) as position
    ) select id from job`.execute(db);
  return rows[0]!.id;
}

/** As jobs show them. */
function readCounts({ db }: Database): Promise<unknown[]> {
  return selectColumns(db, "jobs", ["id", "waiting_videos", "failed_videos"], WHOLE_JOBS).orderBy("id").execute();
}

async function countAgain({ db }: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select job_id as id, count(*) filter (where status = 'Queued') as waiting_videos,
      count(*) filter (where status = 'Failed') as failed_videos
    from job_videos group by job_id order by job_id`.execute(db);
  return rows;
}

async function countRows({ db }: Database, job: string): Promise<number> {
  return (await db.selectFrom("video_counts").select("id").where("job_id", "=", job).execute()).length;
}
