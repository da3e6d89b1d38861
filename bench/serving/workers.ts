/**
 * Throughput by number of workers, and the queue's load on the database (pg_stat_statements). A timer replaces fetching
 * and encoding (bench/support/simulated-worker.ts). Each worker has as many connections as in a fleet. Up to 8 workers
 * have a process each; more share ten processes.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import type { Context } from "#operations/context.ts";
import { modelSettings } from "#contract/settings/models.ts";
import { openQueue } from "#queue/open-queue.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { describeMachine } from "../support/runs.ts";
import { startWorkers, untilEnded, type Watched, type WorkerProcess } from "../support/simulated-workers.ts";

const AIM = 0.95;
/** Also shorten the bench during development. */
const VIDEO_SECONDS = Number(process.env["SECONDS"] ?? 5);
const VIDEOS_EACH = Number(process.env["VIDEOS"] ?? 10);
const FEW = (process.env["FEW"] ?? "1,2,4,8").split(",").map(Number);
/** Concurrent videos, in one job and in twenty; for a curve, MANY=100,300,1000. */
const MANY = (process.env["MANY"] ?? "100").split(",").map(Number);
/** The first videos are slower: all start at the same moment, on connections that have yet to read the catalogs. */
const MOST_COLD_VIDEOS = 3;
/**
 * Above 100 concurrent videos, each worker has ten, and videos are long enough that 20 end per second: more would keep
 * two cores busy.
 */
const SLOTS = 10;
const MAX_ENDS_PER_SECOND = 20;
const PROCESSES = 10;

type Load = { slots: number; videoSeconds: number; videosEach: number; jobs: number; processes: WorkerProcess[] };
type Cpu = { database: number; workers: number };
/** `steadyPerSecond` is the throughput once each slot has ended `coldVideos`. */
type Measured = Watched & {
  seconds: number;
  videosPerSecond: number;
  coldVideos: number;
  steadyPerSecond: number;
  cpuMsPerVideo: Cpu;
};

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
const queue = await openQueue(database, (error) => console.error(error));
const context = {
  db: database.db,
  queue,
  links: createLinkSigner("a secret for this bench that is long enough"),
  hosts: { baseUrls: {}, privateSources: [], ytDlpPath: null, models: modelSettings(() => null) },
} satisfies Partial<Context> as unknown as Context;

/** Time per video in addition to its length. */
let overheadSeconds = 0;
for (const slots of FEW) {
  const load = { slots, videoSeconds: VIDEO_SECONDS, videosEach: VIDEOS_EACH, jobs: 1 };
  const measured = await measure({
    ...load,
    processes: Array.from({ length: slots }, () => ({ workers: 1, slots: 1 })),
  });
  if (slots === 1) overheadSeconds = 1 / measured.videosPerSecond - VIDEO_SECONDS;
  console.log(
    `${slots} workers: ${describeShare(measured, slots, VIDEO_SECONDS)}, waiting for a lock: ${measured.waiting}`,
  );
}
for (const slots of MANY) {
  for (const jobs of [1, 20]) await measureMany(slots, jobs);
}
await queue.stop();
await database.close();
await server.stop();

async function measureMany(slots: number, jobs: number): Promise<void> {
  const each = slots > 100 ? SLOTS : 1;
  const workers = slots / each;
  const processes = Array.from({ length: PROCESSES }, (_, i) => ({
    workers: Math.floor((workers + i) / PROCESSES),
    slots: each,
  }));
  const videoSeconds = Math.max(VIDEO_SECONDS, slots / MAX_ENDS_PER_SECOND);
  // About the same time for each number.
  const videosEach = Math.max(Math.round((VIDEOS_EACH * VIDEO_SECONDS) / videoSeconds), 3);
  await sql`select pg_stat_statements_reset()`.execute(database.db);
  const measured = await measure({ slots, videoSeconds, videosEach, jobs, processes });
  console.log(
    `${slots} videos at a time, ${videoSeconds} s each, ${jobs} jobs, ${workers} workers: ` +
      describeShare(measured, slots, videoSeconds),
  );
  // Without the bench's own.
  const connections = (measured.connections - (await countOwn())) / workers;
  console.log(
    `  connections: ${connections.toFixed(1)} per worker; waiting for a lock on average: ${measured.waiting}`,
  );
  const { database: ofDatabase, workers: ofWorkers } = measured.cpuMsPerVideo;
  console.log(
    `  CPU per video: ${ofDatabase.toFixed(0)} ms of the database, ${ofWorkers.toFixed(0)} ms of the workers`,
  );
  await describeDatabase(measured.seconds, slots * videosEach);
}

function describeShare(
  { videosPerSecond, coldVideos, steadyPerSecond }: Measured,
  slots: number,
  videoSeconds: number,
): string {
  const describe = (perSecond: number): string => {
    const share = (perSecond * (videoSeconds + overheadSeconds)) / slots;
    const verdict = `target at least ${AIM}: ${share >= AIM ? "met" : "NOT met"}`;
    return `${perSecond.toFixed(2)} videos/s, ${share.toFixed(3)} x linear${slots === 1 ? "" : `, ${verdict}`}`;
  };
  return `with the cold start ${describe(videosPerSecond)}; after ${coldVideos} videos each ${describe(steadyPerSecond)}`;
}

async function measure({ slots, videoSeconds, videosEach, jobs, processes }: Load): Promise<Measured> {
  const stop = await startWorkers(databaseUrl, videoSeconds * 1_000, processes);
  const before = readCpuSeconds();
  const coldVideos = Math.min(MOST_COLD_VIDEOS, videosEach - 1);
  const videos = (slots * videosEach) / jobs;
  const ids: string[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const links = Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/v${job}-${i}/view`);
    ids.push(
      (await createJob({ ...context, actor: TERMINAL }, { job_name: `Bench ${job}`, input_videos: links }, null)).id,
    );
  }
  const watched = await untilEnded(database.db, ids);
  const after = readCpuSeconds();
  await stop();
  const { rows } = await sql<{ seconds: number; steadySeconds: number; videos: number }>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds, count(*)::int as videos,
      extract(epoch from max(ended_at) - max(ended_at) filter (where place <= ${coldVideos * slots}))::float8 as "steadySeconds"
    from (
      select *, row_number() over (order by ended_at) as place
      from job_videos where job_id = any(${ids}::uuid[]) and status = 'Completed'
    ) ended`.execute(database.db);
  const { seconds, steadySeconds, videos: done } = rows[0]!;
  if (done !== slots * videosEach) throw new Error(`Only ${done} videos were completed.`);
  const msPerVideo = (part: keyof Cpu) => ((after[part] - before[part]) * 1_000) / done;
  const cpuMsPerVideo = { database: msPerVideo("database"), workers: msPerVideo("workers") };
  const steadyPerSecond = (done - coldVideos * slots) / steadySeconds;
  return { ...watched, seconds, videosPerSecond: done / seconds, coldVideos, steadyPerSecond, cpuMsPerVideo };
}

/** Workers and the database are children of this process. */
function readCpuSeconds(): Cpu {
  const [postmaster] = readFileSync(path.join(server.dataDir, "postmaster.pid"), "utf8").split("\n");
  const database = cpuSecondsOf(Number(postmaster)).all;
  const { own, all } = cpuSecondsOf(process.pid);
  return { database, workers: all - own - database };
}

async function countOwn(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
    where backend_type = 'client backend'`.execute(database.db);
  return rows[0]!.count;
}

async function describeDatabase(seconds: number, videos: number): Promise<void> {
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
}
