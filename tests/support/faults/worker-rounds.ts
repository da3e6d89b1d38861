import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, vi } from "vitest";
import { openFaultJobs, type FaultJobs } from "./fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "../servers/fleet.ts";
import { processesNaming } from "../media/measure.ts";
import { makeScratchFolder } from "../scratch-folder.ts";
import { makeSlowFfmpeg, type SlowFfmpeg } from "../media/faulty/slow-ffmpeg.ts";

type InjectedFaults = {
  fleet: Fleet;
  server: FleetProgram;
  jobs: FaultJobs;
  ffmpeg: SlowFfmpeg;
  /** Independent of the programs' connections. */
  database: Client;
  reconnect(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts PostgreSQL and a server, but no workers, for a file's tests. Returns a getter. Call it at the top level of the
 * file.
 */
export async function injectFaultsBeforeAll(): Promise<() => InjectedFaults> {
  const folder = await makeScratchFolder();
  let disturbed: InjectedFaults | null = null;
  beforeAll(async () => {
    disturbed = await openDisturbed(folder);
  }, 180_000);
  afterAll(() => disturbed?.close());
  return () => disturbed!;
}

async function openDisturbed(folder: string): Promise<InjectedFaults> {
  await using stack = new AsyncDisposableStack();
  const jobs = await openFaultJobs(folder);
  stack.defer(() => jobs.close());
  const ffmpeg = await makeSlowFfmpeg(folder);
  const fleet = await openInstalledFleet({ ...jobs.environment, ...ffmpeg.environment });
  stack.defer(() => fleet.close());
  const server = await fleet.start("server");
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: fleet.databaseUrl });
    // Tests stop the database on purpose.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const running = stack.move();
  const disturbed: InjectedFaults = {
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

/** Waits until a worker encodes pictures, then up to half a second at random. */
export async function waitForEncoder(scratch: string): Promise<void> {
  const isEncoding = async (): Promise<boolean> => {
    const [encoders, ours] = await Promise.all([processesNaming("libx264"), processesNaming(scratch)]);
    return encoders.some((pid) => ours.includes(pid));
  };
  await vi.waitUntil(isEncoding, { timeout: 60_000, interval: 20 });
  await delay(Math.random() * 500);
}

/** Returns each video's id with the number of its claim. */
export async function readClaims(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ claim: string }>(
    "select id || ' ' || retry_count as claim from pgboss.job where name = 'videos' and state = 'active'",
  );
  return rows.map((row) => row.claim);
}
