import { existsSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import { type Kysely, sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { SAMPLES_ADDED } from "#operations/library/add-samples.ts";
import { createJob, hasEnded, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, killProgramAt, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type FaultJobs, openFaultJobs, requireIntact, requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

/** Schema before the killed start, with so many jobs that its migration takes a while. */
const OLD_SCHEMA = "0003-second-step-and-mail";
const OLD_JOBS = 20_000;
/** The samples are drawn up to twice, in 30 s of CPU time. */
const SECONDS_PER_ROUND = 300;
const WHOLE_ROUND = { timeout: SECONDS_PER_ROUND * 1_000 };

type Place = { dataDir: string; databaseUrl: string | undefined };
type MakePlace = (round: number) => Promise<Place>;

const folder = await makeScratchFolder();
const oldDataDir = path.join(folder, "old");
let jobs: FaultJobs;
let postgres: Awaited<ReturnType<typeof startPostgres>> | null = null;
let databases = 0;
/** What starts create in their data directory, in order. `npm test` kills up to `AFTER_STEP_MS` after one of them. */
const STEPS = { "first start": ["app-secret", "samples", "files/library"], migration: ["app-secret"] };
const AFTER_STEP_MS = 2_000;
const SAMPLES = 5;
/** Of an undisturbed start up to its last sample. */
const wholeMs = new Map<string, number>();

beforeAll(async () => {
  jobs = await openFaultJobs(folder);
}, 180_000);

afterAll(async () => {
  await jobs.close();
  await postgres?.stop();
});

testFault(
  {
    id: "kill-first-start",
    fault: "SIGKILL at a random moment of the very first start (both databases in turn)",
    expected: "the next start succeeds: sign-in works, a job completes, each sample exists once",
    rounds: { short: 1, full: 50 },
    secondsPerRound: SECONDS_PER_ROUND,
  },
  (round) => killWhileStarting("first start", round, makeEmptyPlace, 0),
);

testFault(
  {
    id: "kill-migration",
    fault: "SIGKILL at a random moment of the first start after an upgrade (both databases in turn)",
    expected: "the next start succeeds: sign-in works, a job completes, no earlier data is lost",
    // The row above also kills starts that migrate, and by-itself.test.ts upgrades.
    rounds: { short: 0, full: 50 },
    secondsPerRound: SECONDS_PER_ROUND,
  },
  (round) => killWhileStarting("migration", round, makeOldPlace, OLD_JOBS),
);

async function killWhileStarting(
  what: keyof typeof STEPS,
  round: number,
  makePlace: MakePlace,
  oldJobs: number,
): Promise<void> {
  const kind = `${what} ${isOnServer(round) ? "on a server" : "embedded"}`;
  if (isFullRun && !wholeMs.has(kind)) wholeMs.set(kind, await timeStart(await makePlace(round)));
  const place = await makePlace(round);
  const moment = chooseMoment(place, STEPS[what], wholeMs.get(kind));
  try {
    await killProgramAt(moment.wait, "start", place.dataDir, environmentOf(place));
    const next = await start(place);
    try {
      await requireWorking(await signedInClient(next.url), place, oldJobs);
    } finally {
      await next.stop();
    }
  } catch (cause) {
    throw new Error(`${kind}, killed ${moment.name}: ${String(cause)}`, { cause });
  } finally {
    await rm(place.dataDir, { recursive: true, force: true });
  }
}

/** Returns a random moment within the start's known duration, otherwise after a random step. */
function chooseMoment(
  { dataDir }: Place,
  steps: string[],
  wholeStartMs?: number,
): { name: string; wait: () => Promise<void> } {
  if (wholeStartMs !== undefined) {
    const momentMs = Math.random() * wholeStartMs;
    const name = `after ${momentMs.toFixed(0)} of ${wholeStartMs.toFixed(0)} ms`;
    return { name, wait: () => delay(momentMs) };
  }
  const step = steps[Math.floor(Math.random() * steps.length)]!;
  const afterMs = Math.random() * AFTER_STEP_MS;
  return {
    name: `${afterMs.toFixed(0)} ms after ${step}`,
    async wait() {
      await vi.waitUntil(() => existsSync(path.join(dataDir, step)), { ...WHOLE_ROUND, interval: 2 });
      await delay(afterMs);
    },
  };
}

async function timeStart(place: Place): Promise<number> {
  const startedMs = performance.now();
  const started = await start(place);
  await waitForSamples(await signedInClient(started.url));
  const milliseconds = performance.now() - startedMs;
  await started.stop();
  await rm(place.dataDir, { recursive: true, force: true });
  return milliseconds;
}

async function requireWorking(client: SupabaseClient, { dataDir }: Place, oldJobs: number): Promise<void> {
  const { count, error } = await client.from("jobs").select("id", { count: "exact", head: true });
  expect(error).toBeNull();
  expect(count).toBe(oldJobs);
  const job = await createJob(client, jobs.request("After the kill"));
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  await requireIntact(client, job.id, path.join(dataDir, "files"));
  await requireNothingLeft(path.join(dataDir, "scratch"));
  await waitForSamples(client);
  const { data: samples } = await readLibrary(client);
  expect(samples).toHaveLength(oldJobs > 0 ? 0 : SAMPLES);
  if (oldJobs > 0) return;
  expect(await readdir(path.join(dataDir, "files/library"))).toHaveLength(samples.length);
  expect(new Set(samples.map((sample) => sample.name)).size).toBe(samples.length);
}

async function waitForSamples(client: SupabaseClient): Promise<void> {
  await expect.poll(async () => (await readLibrary(client)).isReady, WHOLE_ROUND).toBe(true);
}

function isOnServer(round: number): boolean {
  return round % 2 === 1;
}

function start(place: Place): Promise<ClipmillProcess> {
  return startClipmillProcess(place.dataDir, environmentOf(place));
}

function environmentOf({ databaseUrl }: Place): Record<string, string> {
  return { ...jobs.environment, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
}

async function makeEmptyPlace(round: number): Promise<Place> {
  databases += 1;
  const name = `place_${databases}`;
  const dataDir = path.join(folder, name);
  if (!isOnServer(round)) return { dataDir, databaseUrl: undefined };
  await onServer(`create database ${name}`);
  return { dataDir, databaseUrl: (await openServer()).urlOf(name) };
}

/** Copies an old installation, which is created once per database. */
async function makeOldPlace(round: number): Promise<Place> {
  databases += 1;
  const name = `place_${databases}`;
  const dataDir = path.join(folder, name);
  if (!isOnServer(round)) {
    if ((await readdir(folder)).includes("old")) return copyOld(dataDir);
    await fillOld({ dataDir: oldDataDir });
    return copyOld(dataDir);
  }
  if (!(await hasDatabase("old"))) {
    await onServer("create database old");
    await fillOld({ dataDir: null, databaseUrl: (await openServer()).urlOf("old") });
  }
  await onServer(`create database ${name} template old`);
  return { dataDir, databaseUrl: (await openServer()).urlOf(name) };
}

async function copyOld(dataDir: string): Promise<Place> {
  await cp(oldDataDir, dataDir, { recursive: true });
  return { dataDir, databaseUrl: undefined };
}

async function fillOld(location: Parameters<typeof openDatabase>[0]): Promise<void> {
  const database = await openDatabase(location);
  await migrate(database.db, OLD_SCHEMA);
  await insertOldJobs(database.db);
  // An earlier start drew the samples, which were deleted since.
  await database.db.insertInto("settings").values({ name: SAMPLES_ADDED, value: "earlier" }).execute();
  await database.close();
}

async function insertOldJobs(db: Kysely<Tables>): Promise<void> {
  await sql`insert into jobs (job_name, status, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos)
    select 'Job ' || i, 'Failed', array['https://drive.google.com/file/d/' || i || '/view'], false, '{}', false,
      '{}', 'replace', false, 1, 1, 1, true, 10, true, 1
    from generate_series(1, ${OLD_JOBS}::integer) as i`.execute(db);
}

async function hasDatabase(name: string): Promise<boolean> {
  return (await onServer(`select from pg_database where datname = '${name}'`)) > 0;
}

async function openServer(): Promise<NonNullable<typeof postgres>> {
  if (!postgres) postgres = await startPostgres();
  return postgres;
}

async function onServer(statement: string): Promise<number> {
  const client = new Client({ connectionString: (await openServer()).urlOf("postgres") });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
