/**
 * Throughput by number of workers, and the queue's load on the database (pg_stat_statements). A timer replaces fetching
 * and encoding (bench/support/simulated-worker.ts); all else is real. Up to 8 workers have a process each; 100 share
 * ten processes but no connections.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/actor.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import type { Context } from "#operations/context.ts";
import { openQueue } from "#queue/open-queue.ts";
import { startPostgres } from "#tests/support/servers/postgres.ts";
import { describeMachine } from "../support/runs.ts";

const WORKER = path.join(import.meta.dirname, "../support/simulated-worker.ts");
const AIM = 0.95;
/** SECONDS (per video) and VIDEOS (per worker) shorten the bench during development. */
const VIDEO_MS = Number(process.env["SECONDS"] ?? 5) * 1000;
const VIDEOS_EACH = Number(process.env["VIDEOS"] ?? 10);
const MANY = Number(process.env["MANY"] ?? 100);

type Measured = { seconds: number; videosPerSecond: number };

console.log(describeMachine());
const server = await startPostgres([
  "-c",
  "shared_preload_libraries=pg_stat_statements",
  "-c",
  "max_connections=2000",
  "-c",
  "track_io_timing=on",
]);
const databaseUrl = server.urlOf("postgres");
const database = await openDatabase({ databaseUrl, dataDir: null });
await sql`create extension pg_stat_statements`.execute(database.db);
await migrate(database.db);
const queue = await openQueue(database, (fault) => console.error(fault));
const context = {
  db: database.db,
  queue,
  links: createLinkSigner("a secret for this bench that is long enough"),
  hosts: { baseUrls: {}, privateSources: [], ytDlpPath: null },
} satisfies Partial<Context> as unknown as Context;

let alone: Measured | null = null;
for (const workers of [1, 2, 4, 8]) {
  const measured = await measure(Array<number>(workers).fill(1), 1);
  alone ??= measured;
  const share = measured.videosPerSecond / alone.videosPerSecond / workers;
  const verdict =
    workers === 1 ? "" : `, ${share.toFixed(3)} x linear, target at least ${AIM}: ${share >= AIM ? "met" : "NOT met"}`;
  console.log(`${workers} workers: ${measured.videosPerSecond.toFixed(3)} videos/s${verdict}`);
}
for (const jobs of [1, 20]) {
  await sql`select pg_stat_statements_reset()`.execute(database.db);
  const { seconds, videosPerSecond } = await measure(Array<number>(10).fill(MANY / 10), jobs);
  const share = videosPerSecond / alone!.videosPerSecond / MANY;
  console.log(`${MANY} workers, ${jobs} jobs: ${videosPerSecond.toFixed(2)} videos/s, ${share.toFixed(3)} x linear`);
  await describeDatabase(seconds);
}
await queue.stop();
await database.close();
await server.stop();

/** Starts processes with the given numbers of workers and waits until they have completed `jobs` jobs. */
async function measure(workersOfProcesses: number[], jobs: number): Promise<Measured> {
  const workers = workersOfProcesses.reduce((sum, each) => sum + each, 0);
  const children = workersOfProcesses.map((each) =>
    spawn(process.execPath, [WORKER, databaseUrl, String(each), String(VIDEO_MS)], {
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map(untilReady));
  const videos = (workers * VIDEOS_EACH) / jobs;
  const ids: string[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const links = Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/v${job}-${i}/view`);
    ids.push(
      (await createJob({ ...context, actor: TERMINAL }, { job_name: `Bench ${job}`, input_videos: links }, null)).id,
    );
  }
  await untilEnded(ids);
  await Promise.all(children.map(stop));
  const { rows } = await sql<{ seconds: number; videos: number }>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds, count(*)::int as videos
    from job_videos where job_id = any(${ids}::uuid[]) and status = 'Completed'`.execute(database.db);
  const { seconds, videos: done } = rows[0]!;
  if (done !== workers * VIDEOS_EACH) throw new Error(`Only ${done} videos were completed.`);
  return { seconds, videosPerSecond: done / seconds };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit").then(() => {
    throw new Error("A worker did not start.");
  });
  await Promise.race([once(child.stdout!, "data"), exited]);
  // Exits later on are as ordered.
  exited.catch(() => {});
}

async function untilEnded(ids: string[]): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    const open = await database.db
      .selectFrom("jobs")
      .select("id")
      .where("id", "in", ids)
      .where("status", "in", ["Queued", "Processing"])
      .execute();
    if (open.length === 0) resolve();
  };
  const looking = setInterval(() => void look(), 1_000);
  await ended;
  clearInterval(looking);
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Prints the database load of the queue, transactions and verbs. */
async function describeDatabase(seconds: number): Promise<void> {
  const videos = MANY * VIDEOS_EACH;
  const { rows } = await sql<{ whose: string; calls: number; ms: number }>`
    select case when query ~ 'pgboss' then 'queue' when query ~* '^(begin|commit|rollback)' then 'transactions' else 'verbs' end
      as whose, sum(calls)::int as calls, sum(total_exec_time)::float8 as ms
    from pg_stat_statements group by whose order by whose`.execute(database.db);
  for (const { whose, calls, ms } of rows) {
    console.log(
      `  ${whose}: ${(ms / videos).toFixed(2)} ms and ${(calls / videos).toFixed(1)} statements per video, ` +
        `${(ms / seconds / 10).toFixed(1)} % of a core`,
    );
  }
  const { rows: worst } = await sql<{ query: string; calls: number; ms: number; mean: number }>`
    select left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as query, calls::int, total_exec_time::float8 as ms,
      mean_exec_time::float8 as mean
    from pg_stat_statements order by total_exec_time desc limit 8`.execute(database.db);
  for (const { query, calls, ms, mean } of worst) {
    console.log(`    ${(ms / videos).toFixed(2)} ms/video, ${calls} calls of ${mean.toFixed(2)} ms: ${query}`);
  }
  const { rows: open } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
    where backend_type = 'client backend'`.execute(database.db);
  console.log(`  open connections: ${open[0]!.count}`);
}
