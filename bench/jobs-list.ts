/** The jobs list, its filters and its search over a million jobs on PostgreSQL, against DESIGN section 9. */
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/list-jobs.ts";
import { startPostgres } from "#tests/support/postgres.ts";

const JOBS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 60;
const LIST_MS = 20;
const SEARCH_MS = 50;

const server = await startPostgres();
const database = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
const { db } = database;
await migrate(db);
console.log(`Filling in ${JOBS.toLocaleString("en")} jobs.`);
await fill();
const { rows: newest } = await sql<{ id: string }>`select id from jobs order by created_at limit 1`.execute(db);
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

/** A year of jobs: most have ended, a few thousand wait, a third has captions, a tenth audio, every 200th name says sunset. */
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
      array['https://drive.google.com/file/d/' || md5(i::text) || '/view'], i % 3 = 0, '{}', i % 10 = 0, '{}',
      'replace', false, 4, 0.7, 1, true, 30, true, 1, now() - (${JOBS}::int - i) * interval '30 seconds'
    from generate_series(1, ${JOBS}::int) i`.execute(db);
  await sql`alter table jobs enable trigger user`.execute(db);
  await sql`insert into job_counts (status, captions_enabled, audio_enabled, jobs)
    select status, captions_enabled, audio_enabled, count(*) from jobs group by 1, 2, 3`.execute(db);
  await sql`vacuum analyze jobs`.execute(db);
  await sql`vacuum analyze job_counts`.execute(db);
}
