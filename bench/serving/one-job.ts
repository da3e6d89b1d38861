/**
 * Throughput of one job's videos on a distant database, and what their connections wait for. Simulated workers
 * (bench/support/simulated-worker.ts) process short videos through a proxy that adds ROUND_TRIP milliseconds. If videos
 * waited for each other, more workers would not increase throughput.
 */
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { modelSettings } from "#contract/settings/models.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openDatabaseLine } from "#tests/support/servers/databases/database-line.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { describeMachine } from "../support/runs.ts";
import { startWorkers, untilEnded } from "../support/simulated-workers.ts";

const ROUND_TRIP_MS = Number(process.env["ROUND_TRIP"] ?? 5);
const VIDEO_MS = Number(process.env["SECONDS"] ?? 0.2) * 1_000;
const VIDEOS_EACH = Number(process.env["VIDEOS"] ?? 10);
const WORKERS = [1, 10, 40];

console.log(`${describeMachine()}, round trips of ${ROUND_TRIP_MS} ms`);
const server = await startPostgres(["-c", "max_connections=1000"]);
const database = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
await migrate(database.db);
const line = await openDatabaseLine(server.urlOf("postgres"), ROUND_TRIP_MS);
const queue = await openQueue(database, (error) => console.error(error));
const context = {
  db: database.db,
  queue,
  links: createLinkSigner("a secret for this bench that is long enough"),
  hosts: { baseUrls: {}, privateSources: [], ytDlpPath: null, models: modelSettings(() => null) },
} satisfies Partial<Context> as unknown as Context;

for (const workers of WORKERS) await measure(workers);
await queue.stop();
await database.close();
await line.close();
await server.stop();

async function measure(workers: number): Promise<void> {
  const stop = await startWorkers(line.url, VIDEO_MS, [{ workers, slots: 1 }]);
  const links = Array.from({ length: workers * VIDEOS_EACH }, (_, i) => `https://drive.google.com/file/d/v${i}/view`);
  const job = await createJob({ ...context, actor: TERMINAL }, { job_name: "Bench", input_videos: links }, null);
  const { waiting } = await untilEnded(database.db, [job.id]);
  await stop();
  const { rows } = await sql<{ seconds: number; videos: number }>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds, count(*)::int as videos
    from job_videos where job_id = ${job.id} and status = 'Completed'`.execute(database.db);
  const { seconds, videos } = rows[0]!;
  if (videos !== links.length) throw new Error(`Only ${videos} videos were completed.`);
  console.log(
    `${workers} workers: ${(videos / seconds).toFixed(1)} videos/s; connections waiting for a lock: ${waiting}`,
  );
}
