/** What the rows share that disturb a worker of its own on PostgreSQL while its ffmpeg is at work. */
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, vi } from "vitest";
import { openFaultJobs, type FaultJobs } from "./fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "../servers/fleet.ts";
import { processesNaming } from "../media/measure.ts";
import { makeScratchFolder } from "../scratch-folder.ts";
import { makeSlowFfmpeg, type SlowFfmpeg } from "../media/slow-ffmpeg.ts";

type Disturbed = {
  fleet: Fleet;
  server: FleetProgram;
  jobs: FaultJobs;
  ffmpeg: SlowFfmpeg;
  /** Straight to the database, whatever happens to the programs' lines. */
  database: Client;
  /** Opens that connection anew, after the database was away. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts PostgreSQL and a server before the tests of a file, and ends them after it; answers how a test gets at them. Workers are the
 * file's own. Call it at the top of the file, outside tests.
 */
export async function disturbBeforeAll(): Promise<() => Disturbed> {
  const folder = await makeScratchFolder();
  let disturbed: Disturbed | null = null;
  beforeAll(async () => {
    disturbed = await openDisturbed(folder);
  }, 180_000);
  afterAll(() => disturbed?.close());
  return () => disturbed!;
}

async function openDisturbed(folder: string): Promise<Disturbed> {
  await using stack = new AsyncDisposableStack();
  const jobs = await openFaultJobs(folder);
  stack.defer(() => jobs.close());
  const ffmpeg = await makeSlowFfmpeg(folder);
  const fleet = await openInstalledFleet({ ...jobs.environment, ...ffmpeg.environment });
  stack.defer(() => fleet.close());
  const server = await fleet.start("server");
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: fleet.databaseUrl });
    // Of a database that is stopped on purpose.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const running = stack.move();
  const disturbed: Disturbed = {
    fleet,
    server,
    jobs,
    ffmpeg,
    database: await connect(),
    async reconnect() {
      await disturbed.database.end();
      disturbed.database = await connect();
    },
    async close() {
      await disturbed.database.end();
      await running.disposeAsync();
    },
  };
  return disturbed;
}

/** Waits until pictures are being encoded in a worker's scratch folder, and then for up to half a second. */
export async function waitForEncoder(scratch: string): Promise<void> {
  const isEncoding = async (): Promise<boolean> => {
    const [encoders, ours] = await Promise.all([processesNaming("libx264"), processesNaming(scratch)]);
    return encoders.some((pid) => ours.includes(pid));
  };
  await vi.waitUntil(isEncoding, { timeout: 60_000, interval: 20 });
  await delay(Math.random() * 500);
}

/** The videos somebody has claimed, each with the number of its claim. */
export async function readClaims(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ claim: string }>(
    "select id || ' ' || retry_count as claim from pgboss.job where name = 'videos' and state = 'active'",
  );
  return rows.map((row) => row.claim);
}
