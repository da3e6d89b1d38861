import path from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type DatabaseLine, openDatabaseLine } from "#tests/support/servers/databases/database-line.ts";
import { requireIntact, requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import type { FleetProgram } from "#tests/support/servers/fleet.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { injectFaultsBeforeAll, readClaims, waitForEncoder } from "#tests/support/faults/worker-rounds.ts";

const disturbed = await injectFaultsBeforeAll();
let line: DatabaseLine;
let worker: FleetProgram;

beforeAll(async () => {
  const { fleet } = disturbed();
  line = await openDatabaseLine(fleet.databaseUrl);
  worker = await fleet.start("worker", { databaseUrl: line.url });
}, 180_000);
afterAll(async () => {
  await worker?.kill();
  await line?.close();
});

const ROWS = [
  {
    id: "network-cut",
    fault: "cut",
    what: "cut the connection between worker and database during a job",
    // A worker notices this sooner than silence.
    short: 0,
  },
  {
    id: "network-half-open",
    fault: "silent",
    short: 1,
    what: "the connection between worker and database drops all data, sockets stay open",
  },
] as const;
for (const { id, fault, what, short } of ROWS) {
  testFault(
    {
      id,
      fault: what,
      expected:
        "ffmpeg is dead before the worker's lease ends; the worker reconnects by itself; exactly the job's outputs, all intact",
      rounds: { short, full: 20 },
      secondsPerRound: 120,
    },
    (round) => breakLine(id, fault, round),
  );
}

async function breakLine(id: string, fault: "cut" | "silent", round: number): Promise<Record<string, number>> {
  const { fleet, server, jobs, ffmpeg, database } = disturbed();
  const scratch = path.join(worker.dataDir, "scratch");
  const client = await signedInClient(server.url);
  // Longer than any lease.
  await ffmpeg.slowDown(120);
  const job = await createJob(client, jobs.request(`${id} ${round}`));
  await waitForEncoder(scratch);
  const claims = await readClaims(database);
  line.set(fault);
  const brokenMs = performance.now();
  try {
    await vi.waitUntil(async () => (await processesNaming(scratch)).length === 0, {
      timeout: 30_000,
      interval: 50,
    });
    const seconds = (performance.now() - brokenMs) / 1_000;
    expect(await readClaims(database), "claims when ffmpeg was dead").toEqual(claims);
    await ffmpeg.hurry();
    // Every other round, the connection returns before the lease ends.
    if (round % 2 === 0) {
      await vi.waitUntil(async () => (await readClaims(database)).length === 0, { timeout: 30_000, interval: 100 });
    }
    line.set("open");
    await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
    await requireIntact(client, job.id, fleet.storageRoot);
    await requireNothingLeft(scratch);
    return { "seconds until ffmpeg was dead": seconds };
  } finally {
    line.set("open");
    await ffmpeg.hurry();
  }
}
