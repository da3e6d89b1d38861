import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type FaultJobs, openFaultJobs, requireIntact, requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { readClaims } from "#tests/support/faults/worker-rounds.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";

import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

type ProgramName = "server" | "worker";
type Installation = {
  fleet: Fleet;
  programs: Record<ProgramName, FleetProgram>;
  database: Client;
};

const ROWS: { killed: ProgramName[]; what: string; expected: string; shortRounds?: number }[] = [
  // The short form of tests/faults/network/notice.test.ts kills a worker, too.
  { killed: ["worker"], what: "the worker", expected: "noticed within 15 s; Completed", shortRounds: 0 },
  { killed: ["server"], what: "the server", expected: "the job continues; Completed" },
  {
    killed: ["server", "worker"],
    what: "server and worker",
    expected: "noticed within 15 s once one is running again; Completed",
  },
];
const MAX_SECONDS_UNTIL_NOTICED = 15;

const folder = await makeScratchFolder();
let jobs: FaultJobs;
/** Duration of an undisturbed job. */
let jobMs: Promise<number> | null = null;

beforeAll(async () => {
  jobs = await openFaultJobs(folder);
}, 600_000);

afterAll(() => jobs.close());

// Every row has its own installation and mostly waits for a missed heartbeat.
describe.concurrent("separate programs on PostgreSQL", () => {
  for (const { killed, what, expected, shortRounds = 1 } of ROWS) {
    const id = `kill-${killed.length > 1 ? "all" : killed[0]}`;
    let installation: Promise<Installation> | null = null;
    afterAll(async () => {
      if (!installation) return;
      const { fleet, database } = await installation;
      await database.end();
      await fleet.close();
    }, 180_000);
    testFault(
      {
        id,
        fault: `SIGKILL ${what} at a random moment of a job (PostgreSQL)`,
        expected: `${expected}, exactly its outputs, all intact, no leftovers`,
        rounds: { short: shortRounds, full: 100 },
        secondsPerRound: 150,
      },
      async (round) => killAndRestart(await (installation ??= install()), killed, `${id}, round ${round}`),
    );
  }
});

async function killAndRestart(
  installation: Installation,
  killed: ProgramName[],
  mark: string,
): Promise<Record<string, number>> {
  const { fleet, programs, database } = installation;
  const client = await signedInClient(programs.server.url);
  const wholeMs = await (jobMs ??= timeJob(client));
  const job = await createJob(client, jobs.request(mark));
  const momentMs = Math.random() * wholeMs;
  try {
    await new Promise((resolve) => setTimeout(resolve, momentMs));
    await Promise.all(killed.map((name) => programs[name].kill()));
    const killedMs = performance.now();
    const orphans = killed.includes("worker") ? await readClaims(database) : [];
    const restarted = killed.map(
      async (name) => (programs[name] = await fleet.start(name, { dataDir: programs[name].dataDir })),
    );
    // With everything killed, time counts from the first restarted program.
    const isAlive =
      killed.length === 1 ? Promise.resolve(killedMs) : Promise.any(restarted).then(() => performance.now());
    const [sinceMs, noticedMs] = await Promise.all([isAlive, waitUntilNoticed(database, orphans), ...restarted]);
    const seconds = Math.max(0, noticedMs - sinceMs) / 1_000;
    expect(seconds, "seconds until noticed").toBeLessThanOrEqual(MAX_SECONDS_UNTIL_NOTICED);
    const again = await signedInClient(programs.server.url);
    await vi.waitUntil(() => hasEnded(again, job.id), { timeout: 60_000 });
    await requireIntact(again, job.id, fleet.storageRoot);
    await requireNothingLeft(path.join(programs.worker.dataDir, "scratch"));
    return orphans.length > 0 ? { "seconds until noticed": seconds } : {};
  } catch (cause) {
    const moment = `killed after ${momentMs.toFixed(0)} of ${wholeMs.toFixed(0)} ms`;
    throw new Error(`${moment}: ${String(cause)}`, { cause });
  }
}

/** Returns the time at which the queue has released these claims. */
async function waitUntilNoticed(database: Client, orphans: string[]): Promise<number> {
  const areNoticed = async (): Promise<boolean> => {
    const claims = await readClaims(database);
    return orphans.every((claim) => !claims.includes(claim));
  };
  await vi.waitUntil(areNoticed, { timeout: 60_000, interval: 100 });
  return performance.now();
}

async function install(): Promise<Installation> {
  const fleet = await openInstalledFleet(jobs.environment);
  const [server, worker] = await Promise.all([fleet.start("server"), fleet.start("worker")]);
  const database = new Client({ connectionString: fleet.databaseUrl });
  await database.connect();
  return { fleet, programs: { server, worker }, database };
}

async function timeJob(client: SupabaseClient): Promise<number> {
  const startedMs = performance.now();
  const job = await createJob(client, jobs.request("Undisturbed"));
  await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
  return performance.now() - startedMs;
}
