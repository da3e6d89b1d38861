/** The jobs list, its filters and its search with a million jobs on PostgreSQL, against DESIGN section 9. */
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";

const JOBS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 60;
const LIST_MS = 20;
const SEARCH_MS = 50;

const server = await startPostgres();
const database = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
const { db } = database;
await migrate(db);
console.log(`Creating ${JOBS.toLocaleString("en")} jobs.`);
await fill();
await measureWrites();
const { rows: newest } = await sql<{ id: string }>`select id from jobs order by created_at limit 1`.execute(db);
const { rows: some } = await sql<{ id: string }>`select id from jobs order by created_at desc limit 100`.execute(db);
const someIds = some.map((job) => job.id);
const context = { db, links: createLinkSigner("a secret for this bench that is long enough") };

const questions: [string, Record<string, string>, number][] = [
  ["first page", {}, LIST_MS],
  ["page 100", { page: "100" }, LIST_MS],
  ...["Completed", "Processing", "Cancelling", "Failed", "Queued", "Cancelled"].map(
    (status): [string, Record<string, string>, number] => [status, { status }, LIST_MS],
  ),
  ["with captions", { type: "captions" }, LIST_MS],
  ["with audio", { type: "audio" }, LIST_MS],
  ["failed with audio", { status: "Failed", type: "audio" }, LIST_MS],
  ["search, one job", { search: "Batch 765432" }, SEARCH_MS],
  ["search, some thousand jobs", { search: "sunset" }, SEARCH_MS],
  ["search, every job", { search: "batch" }, SEARCH_MS],
  ["search, three characters", { search: "432" }, SEARCH_MS],
  ["search, none", { search: "no such job" }, SEARCH_MS],
  ["search, an id", { search: newest[0]!.id.slice(0, 8) }, SEARCH_MS],
  ["search, some thousand, failed", { search: "sunset", status: "Failed" }, SEARCH_MS],
  ["search, a caption", { search: "discount on our 5f3a" }, SEARCH_MS],
  ["search, words of all captions", { search: "caption 5 of batch 7654" }, SEARCH_MS],
  ["search, a word of many captions", { search: "discount" }, SEARCH_MS],
  ["search, that word, page 20", { search: "discount", page: "20" }, SEARCH_MS],
  ["search, that word, cancelled", { search: "discount", status: "Cancelled" }, SEARCH_MS],
  ["search, a word of every file", { search: "clip_" }, SEARCH_MS],
  ["search, a file", { search: "clip_765432" }, SEARCH_MS],
  ["which of 100 jobs match", { search: "discount", ids: someIds.join(",") }, SEARCH_MS],
];
for (const [name, request, budgetMs] of questions) {
  const filter = listJobsSchema.parse({ limit: "10", ...request });
  const times: number[] = [];
  let found = 0;
  for (let run = -5; run < RUNS; run += 1) {
    const from = performance.now();
    const { total } = await listJobs(context, filter);
    if (run >= 0) times.push(performance.now() - from);
    found = total;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  const verdict = at(0.95) <= budgetMs ? "within" : "OVER";
  const figures = `median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`;
  console.log(`${name.padEnd(32)} ${figures}, ${verdict} ${budgetMs} ms, total ${found.toLocaleString("en")}`);
}
await database.close();
await server.stop();

/**
 * A year of jobs: most have ended, a few thousand wait, a third have 12 captions (1 % of those 8 kB), a tenth have
 * audio, every 200th name contains "sunset". Each search text has three sources with two outputs each.
 */
async function fill(): Promise<void> {
  await sql`alter table jobs disable trigger user`.execute(db);
  await sql`
    insert into jobs (job_name, status, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos, created_at)
    select 'Batch ' || i || case when i % 200 = 0 then ' sunset' else '' end,
      case when i > ${JOBS}::int - 2000 then 'Queued' when i > ${JOBS}::int - 2010 then 'Processing'
        when i > ${JOBS}::int - 2012 then 'Cancelling' when i % 20 = 0 then 'Failed' when i % 33 = 0 then 'Cancelled'
        else 'Completed' end,
      array['https://drive.google.com/file/d/' || md5(i::text) || '/view'], i % 3 = 0,
      case when i % 3 = 0 then array(
        select 'Caption ' || n || ' of batch ' || i || ': ' || (array['save', 'discount', 'today', 'weekend'])[1 + (i / 3 + n) % 40 % 4]
          || ' on our ' || substr(md5((i % 5000 + n)::text), 1, 12)
        from generate_series(1, case when i % 300 = 0 then 160 else 12 end) n
      ) else '{}' end, i % 10 = 0, '{}',
      'replace', false, 4, 0.7, 1, true, 30, true, 1, now() - (${JOBS}::int - i) * interval '30 seconds'
    from generate_series(1, ${JOBS}::int) i`.execute(db);
  await sql`alter table jobs enable trigger user`.execute(db);
  // The text that the triggers write; firing them per file would take hours.
  await sql`drop index job_search_text, job_search_newest`.execute(db);
  await sql`
    insert into job_search (job_id, created_at, search_text)
    select id, created_at, lower(job_name || E'\\n') || cut_to_bytes(lower(array_to_string(custom_captions, E'\\n')), 8192) || (
      select string_agg(E'\\nclip_' || substr(job_name, 7) || '_' || n || '.mov', '')
        || string_agg(E'\\n00' || n || '-v1-clip_' || substr(job_name, 7) || '_' || n || '.mp4'
        || E'\\n00' || n || '-v2-clip_' || substr(job_name, 7) || '_' || n || '.mp4', '')
      from generate_series(1, 3) n) from jobs`.execute(db);
  const indexedMs = performance.now();
  await sql`create index job_search_text on job_search using gin (search_text gin_trgm_ops)`.execute(db);
  await sql`create index job_search_newest on job_search (created_at desc, job_id desc)`.execute(db);
  console.log(`Indexed in ${((performance.now() - indexedMs) / 1000).toFixed(0)} s.`);
  await sql`insert into job_counts (status, captions_enabled, audio_enabled, jobs)
    select status, captions_enabled, audio_enabled, count(*) from jobs group by 1, 2, 3`.execute(db);
  await sql`vacuum analyze jobs`.execute(db);
  await sql`vacuum analyze job_counts`.execute(db);
  await sql`vacuum analyze job_search`.execute(db);
  const { rows } = await sql<Record<"text" | "index", string>>`
    select pg_size_pretty(pg_table_size('job_search')) as text, pg_size_pretty(pg_relation_size('job_search_text')) as index`.execute(
    db,
  );
  console.log(`Search texts: ${rows[0]!.text}; index: ${rows[0]!.index}.`);
}

/** Plans the videos of a job with 8 kB of captions one by one. */
async function measureWrites(): Promise<void> {
  const VIDEOS = 1_000;
  const captions = Array.from({ length: 160 }, (_, i) => `Caption ${i} about something worth to be seen`);
  const { rows } = await sql<{ id: string }>`
    insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
      audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
      download_enabled, total_videos)
    values ('Large', '{a}', true, ${captions}, false, '{}', 'replace', false, 2, 1, 1, true, 30, true, ${VIDEOS})
    returning id`.execute(db);
  const jobId = rows[0]!.id;
  await sql`insert into job_videos (job_id, position, link, name)
    select ${jobId}, i, 'a link', 'IMG_2026' || i || '_' || substr(md5(i::text), 1, 8) || '.mov'
    from generate_series(1, ${VIDEOS}::int) i`.execute(db);
  const videos = await db.selectFrom("job_videos").select(["id", "name"]).where("job_id", "=", jobId).execute();
  const writeMs = async (): Promise<number> => {
    const from = performance.now();
    for (const video of videos) {
      const outputs = [0, 1].map((variant) => `001-v${variant}-${video.name}.mp4`);
      await db
        .insertInto("job_outputs")
        .values(outputs.map((name, variant) => ({ job_id: jobId, video_id: video.id, variant, segment: 0, name })))
        .execute();
    }
    return (performance.now() - from) / VIDEOS;
  };
  const withText = await writeMs();
  await sql`delete from job_outputs where job_id = ${jobId}`.execute(db);
  await sql`alter table job_outputs disable trigger note_file_names`.execute(db);
  const without = await writeMs();
  await sql`alter table job_outputs enable trigger note_file_names`.execute(db);
  await sql`delete from jobs where id = ${jobId}`.execute(db);
  console.log(
    `Planning 1 of ${VIDEOS} videos: ${withText.toFixed(1)} ms; without search text: ${without.toFixed(1)} ms.`,
  );
}
