import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, vi } from "vitest";
import { createJob, hasEnded, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { requireIntact, requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import type { FleetProgram } from "#tests/support/servers/fleet.ts";
import { injectFaultsBeforeAll } from "#tests/support/faults/worker-rounds.ts";

const SENTENCE = "The database isn't responding. Try again in a moment.";

const disturbed = await injectFaultsBeforeAll();
let worker: FleetProgram;

beforeAll(async () => {
  worker = await disturbed().fleet.start("worker");
}, 180_000);

testFault(
  {
    id: "postgres-restart",
    fault: "restart PostgreSQL at a random moment of two jobs, down for up to 15 s",
    expected:
      "503 with a one-sentence error meanwhile; nothing lost or duplicated; all programs reconnect by themselves",
    rounds: { short: 1, full: 20 },
    secondsPerRound: 180,
  },
  restartInMidJob,
);

async function restartInMidJob(round: number): Promise<Record<string, number>> {
  const { fleet, server, jobs, ffmpeg } = disturbed();
  const client = await signedInClient(server.url);
  // Makes a job take several seconds.
  await ffmpeg.slowDown(2);
  const made = [
    await createJob(client, jobs.request(`${round}, first`)),
    await createJob(client, jobs.request(`${round}, second`)),
  ];
  await delay(Math.random() * 6_000);
  await fleet.haltDatabase();
  try {
    const { error } = await client.functions.invoke("jobs", { body: { action: "list" } });
    const response = (error as { context: Response }).context;
    expect({ status: response.status, ...(await response.json()) }).toMatchObject({ status: 503, error: SENTENCE });
    // In every other round possibly longer than a lease.
    await delay(Math.random() * (round % 2 === 0 ? 3_000 : 15_000));
  } finally {
    await fleet.resumeDatabase();
  }
  const resumedMs = performance.now();
  await vi.waitUntil(
    () =>
      readLibrary(client).then(
        () => true,
        () => false,
      ),
    { timeout: 30_000, interval: 100 },
  );
  const seconds = (performance.now() - resumedMs) / 1_000;
  for (const { id } of made) {
    await vi.waitUntil(() => hasEnded(client, id), { timeout: 120_000 });
    await requireIntact(client, id, fleet.storageRoot);
  }
  await requireNothingLeft(path.join(worker.dataDir, "scratch"));
  return { "seconds until the server responds again": seconds };
}
