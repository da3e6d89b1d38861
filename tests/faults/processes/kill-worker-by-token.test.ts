import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, vi } from "vitest";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { requireIntact, requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { injectFaultsBeforeAll, readClaims, waitForEncoder } from "#tests/support/faults/worker-rounds.ts";
import {
  createTokenForWorkers,
  revokeTokenOfWorkers,
  startTokenProgram,
} from "#tests/support/servers/by-token/token-program.ts";

const disturbed = await injectFaultsBeforeAll();
const MAX_SECONDS_UNTIL_NOTICED = 15;

type TokenProgram = Awaited<ReturnType<typeof startTokenProgram>>;
let client: SupabaseClient;
let worker: TokenProgram;
let access: { id: string; token: string };
/** Duration of an undisturbed job. */
let wholeMs: number;

const startWorker = async (own: { token: string; dataDir?: string }): Promise<TokenProgram> => {
  const { fleet, server, jobs, ffmpeg } = disturbed();
  const environment = { ...jobs.environment, ...ffmpeg.environment };
  return await startTokenProgram(fleet.folder, { server: server.url, ...own, environment });
};

beforeAll(async () => {
  const { server, jobs } = disturbed();
  client = await signedInClient(server.url);
  access = await createTokenForWorkers(client, ["far"]);
  worker = await startWorker(access);
  const startedMs = performance.now();
  const job = await createJob(client, { ...jobs.request("Undisturbed"), worker_labels: "far" });
  await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
  wholeMs = performance.now() - startedMs;
}, 180_000);
afterAll(() => worker?.kill());

testFault(
  {
    id: "kill-worker-by-token",
    fault: "SIGKILL a worker without the database at a random moment of a job",
    expected: "noticed within 15 s; Completed, exactly its outputs, all intact, no leftovers",
    rounds: { short: 2, full: 50 },
    secondsPerRound: 90,
  },
  async (round) => {
    const { fleet, jobs, database } = disturbed();
    const job = await createJob(client, { ...jobs.request(`Killed ${round}`), worker_labels: "far" });
    const momentMs = Math.random() * wholeMs;
    try {
      await new Promise((resolve) => setTimeout(resolve, momentMs));
      await worker.kill();
      const killedMs = performance.now();
      const orphans = await readClaims(database);
      const isNoticed = async () => {
        const claims = await readClaims(database);
        return orphans.every((claim) => !claims.includes(claim));
      };
      worker = await startWorker({ ...access, dataDir: worker.dataDir });
      await vi.waitUntil(isNoticed, { timeout: 60_000, interval: 100 });
      const seconds = (performance.now() - killedMs) / 1_000;
      if (orphans.length > 0 && seconds > MAX_SECONDS_UNTIL_NOTICED) throw new Error(`noticed after ${seconds} s`);
      await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
      await requireIntact(client, job.id, fleet.storageRoot);
      await requireNothingLeft(path.join(worker.dataDir, "scratch"));
      return orphans.length > 0 ? { "seconds until noticed": seconds } : {};
    } catch (cause) {
      throw new Error(`killed after ${momentMs.toFixed(0)} of ${wholeMs.toFixed(0)} ms: ${String(cause)}`, { cause });
    }
  },
);

testFault(
  {
    id: "stall-worker-by-token",
    fault: "suspend a worker without the database during a job, and resume it after another has taken over",
    expected: "its late results change nothing; Completed, exactly its outputs, all intact",
    rounds: { short: 0, full: 10 },
    secondsPerRound: 120,
  },
  async (round) => {
    const { fleet, jobs, ffmpeg, database } = disturbed();
    await ffmpeg.slowDown(5);
    const job = await createJob(client, { ...jobs.request(`Stalled ${round}`), worker_labels: "far" });
    await waitForEncoder(path.join(worker.dataDir, "scratch"));
    const before = await readClaims(database);
    process.kill(worker.pid, "SIGSTOP");
    const second = await startWorker(access);
    try {
      await vi.waitUntil(
        async () => {
          const claims = await readClaims(database);
          return before.every((claim) => !claims.includes(claim));
        },
        { timeout: 60_000, interval: 100 },
      );
      await ffmpeg.hurry();
      process.kill(worker.pid, "SIGCONT");
      await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
      await requireIntact(client, job.id, fleet.storageRoot);
      await requireNothingLeft(path.join(worker.dataDir, "scratch"));
    } catch (cause) {
      throw new Error(worker.output().stderr.slice(-3_000), { cause });
    } finally {
      await second.stop();
    }
  },
);

testFault(
  {
    id: "revoke-worker-token",
    fault: "revoke a worker's token at a random moment of a job",
    expected:
      "it exits, another worker finishes its videos without using up an attempt; exactly its outputs, all intact",
    rounds: { short: 0, full: 10 },
    secondsPerRound: 90,
  },
  async (round) => {
    const { fleet, jobs } = disturbed();
    const job = await createJob(client, { ...jobs.request(`Revoked ${round}`), worker_labels: "far" });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * wholeMs));
    await revokeTokenOfWorkers(client, access.id);
    const code = await worker.ended();
    if (code !== 1) throw new Error(`It exited with ${code}.`);
    await requireNothingLeft(path.join(worker.dataDir, "scratch"));
    access = await createTokenForWorkers(client, ["far"]);
    worker = await startWorker(access);
    await vi.waitUntil(() => hasEnded(client, job.id), { timeout: 60_000 });
    await requireIntact(client, job.id, fleet.storageRoot);
  },
);
