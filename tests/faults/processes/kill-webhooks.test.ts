import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { EVENT_TYPES } from "#contract/webhooks/webhooks.ts";
import { openDatabase } from "#database/open-database.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { addWebhook } from "#operations/webhooks/add-webhook.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { openTestContext, TEST_SECRET } from "#tests/support/test-context.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/twins/webhook-receiver.ts";
import { verifyEvent } from "#tests/support/verify-event.ts";

const ENDER = path.resolve(import.meta.dirname, "../../support/faults/job-ender.ts");
const PROCESSES = 3;
/** All processes are killed in each. */
const TURNS = 7;
const VIDEOS = 4;
/** Of a job of four videos with two files each. */
const EVENTS = ["job.completed", "job.started", ...Array.from({ length: 2 * VIDEOS }, () => "output.completed")];

const folder = await makeScratchFolder();
const stack = new AsyncDisposableStack();
let context: Context & ActorContext;
let receiver: WebhookReceiver;
let databaseUrl: string;
let secret: string;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  stack.defer(() => receiver.close());
  const postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const client = new Client({ connectionString: postgres.urlOf("postgres") });
  await client.connect();
  await client.query("create database jobs template clipmill_template");
  await client.end();
  databaseUrl = postgres.urlOf("jobs");
  const opened = await openTestContext(stack, folder, {
    openDatabase: () => openDatabase({ databaseUrl, dataDir: null }),
    privateWebhooks: [receiver.authority],
  });
  context = opened.context;
  ({ secret } = await addWebhook(context, { url: receiver.url, events: EVENT_TYPES }));
  processes.push(...(await Promise.all(Array.from({ length: PROCESSES }, startProcess))));
}, 180_000);
afterAll(async () => {
  for (const child of processes) child.kill("SIGKILL");
  await stack.disposeAsync();
});

testFault(
  {
    id: "kill-webhooks",
    fault: `SIGKILL the three processes that end jobs and send their events (PostgreSQL), ${TURNS * PROCESSES} times`,
    expected: "each event delivered, duplicates with the same id, all accepted by standardwebhooks",
    // src/server/tasks/send-events.test.ts covers a killed attempt.
    rounds: { short: 0, full: 10 },
    secondsPerRound: 600,
  },
  killMany,
);

async function killMany(): Promise<Record<string, number>> {
  receiver.received.length = 0;
  const jobs = new Set<string>();
  let midway = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const id = await startJob(turn);
    jobs.add(id);
    const countEvents = () => receiver.received.filter(({ event }) => event.data["job_id"] === id).length;
    // Between the first event and the last attempt.
    await expect.poll(countEvents, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    const kill = async (child: ChildProcess): Promise<ChildProcess> => {
      await delay(Math.random() * 200);
      if (countEvents() < EVENTS.length) midway += 1;
      child.kill("SIGKILL");
      return startProcess();
    };
    processes.splice(0, PROCESSES, ...(await Promise.all(processes.map(kill))));
  }
  await expect.poll(readUnfinished, { timeout: 120_000, interval: 100 }).toEqual({ jobs: 0, deliveries: 0 });
  for (const request of receiver.received) verifyEvent(secret, request);
  const byId = Map.groupBy(receiver.received, ({ id }) => id);
  for (const same of byId.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  // Each happened once, so each has one id.
  const byJob = Map.groupBy(
    [...byId.values()].map(([first]) => first!.event),
    ({ data }) => data["job_id"],
  );
  expect(new Set(byJob.keys())).toEqual(jobs);
  for (const events of byJob.values()) expect(events.map(({ type }) => type).toSorted()).toEqual(EVENTS);
  return {
    events: byId.size,
    "kills between a job's first and last event": midway,
    duplicates: receiver.received.length - byId.size,
  };
}

async function startJob(turn: number): Promise<string> {
  const input_videos = Array.from({ length: VIDEOS }, () => "https://drive.google.com/file/d/abc/view");
  return (await createJob(context, { job_name: `Turn ${turn}`, input_videos }, null)).id;
}

async function readUnfinished(): Promise<{ jobs: number; deliveries: number }> {
  const { rows } = await sql<{ jobs: number; deliveries: number }>`
    select (select count(*)::int from jobs where status in ('Queued', 'Processing')) as jobs,
      (select count(*)::int from outgoing_deliveries where status = 'pending') as deliveries`.execute(context.db);
  return rows[0]!;
}

async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ENDER, databaseUrl, TEST_SECRET, receiver.authority], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}
