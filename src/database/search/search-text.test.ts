import { sql } from "kysely";
import { expect, it } from "vitest";
import { openWithoutTables } from "#tests/support/servers/databases/database.ts";
import { migrate } from "../migrate.ts";

it("jobs from before the migration get the same search text as new ones", async () => {
  const database = await openWithoutTables();
  const { db } = database;
  const addJob = async () => {
    const { rows } = await sql<{ id: string }>`
      with job as (
        insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
          audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
          download_enabled, total_videos)
        values ('Summer ÉTÉ', '{a}', true, '{"One, two","Three"}', false, '{}', 'replace', false, 2, 1, 1, true, 30, true, 1)
        returning id
      ) insert into job_videos (job_id, position, link, name) select id, 0, 'a link', 'Beach.MOV' from job
      returning id`.execute(db);
    await sql`insert into job_outputs (job_id, video_id, variant, segment, name)
      select job_id, id, variant, 0, '001-v' || variant + 1 || '-Beach.mp4'
      from job_videos, generate_series(0, 1) variant where id = ${rows[0]!.id}`.execute(db);
  };
  await migrate(db, "0012-names-in-the-audit-trail");
  await addJob();
  await migrate(db);
  await addJob();
  const texts = await db.selectFrom("job_search").select("search_text").execute();
  expect(texts[0]!.search_text).toBe("summer été\none, two\nthree\nbeach.mov\n001-v1-beach.mp4\n001-v2-beach.mp4");
  expect(texts[1]).toEqual(texts[0]);
  await database.close();
});

it("jobs are found by the captions of their rows, also those from before the migration and after a new name", async () => {
  const database = await openWithoutTables();
  const { db } = database;
  const addJob = async () => {
    const { rows } = await sql<{ id: string }>`
      insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
        audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
        download_enabled, total_videos)
      values ('Table', '{a}', true, '{}', false, '{}', 'replace', false, 1, 1, 1, true, 30, true, 3)
      returning id`.execute(db);
    await sql`insert into job_videos (job_id, position, link, row_settings) values
      (${rows[0]!.id}, 0, 'a', '{"custom_captions": ["Wait for the POUR", "Second"]}'),
      (${rows[0]!.id}, 1, 'b', null), (${rows[0]!.id}, 2, 'c', '{"custom_captions": ["Third"]}')`.execute(db);
  };
  await migrate(db, "0064-comments-on-moments");
  await addJob();
  await migrate(db);
  await addJob();
  const captions = "wait for the pour\nsecond\nthird";
  const texts = async () =>
    (await db.selectFrom("job_search").select("search_text").execute()).map((job) => job.search_text);
  expect(await texts()).toEqual(Array.from({ length: 2 }, () => `table\n\n${captions}`));
  await sql`update jobs set job_name = 'Renamed'`.execute(db);
  expect(await texts()).toEqual(Array.from({ length: 2 }, () => `renamed\n\n${captions}`));
  await database.close();
});
