import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WorkerMedia } from "#contract/settings/system.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import type { ActorContext } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { registerWorker } from "../fleet/register-worker.ts";
import { createJob } from "../jobs/create/create-job.ts";
import { retryNow } from "../jobs/order/retry-now.ts";
import { wakeWaiting } from "./wake-waiting.ts";

const folder = await makeScratchFolder();
let stack: AsyncDisposableStack;
let context: Context & ActorContext;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ context } = await openTestContext(stack, folder));
});
afterEach(() => stack.disposeAsync());

/** All its videos wait for Google Drive. */
async function createWaiting(videos: number, workerLabels?: string): Promise<string> {
  const { id } = await createJob(
    context,
    {
      job_name: "A job",
      input_videos: Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/clip${i}/view`),
      ...(workerLabels && { worker_labels: workerLabels }),
    },
    null,
  );
  await sql`update job_videos set waiting_since = now(), waits_for = 'google-drive' where job_id = ${id}`.execute(
    context.db,
  );
  await sql`update pgboss.job set start_after = now() + interval '1 day' where data->>'jobId' = ${id}`.execute(
    context.db,
  );
  return id;
}

async function restUntilNow(): Promise<void> {
  await sql`insert into hosts (host, failures, failed_at, reason, cooling_since, cools_until, cooldown_seconds)
    values ('google-drive', 3, now(), 'It is down.', now(), now(), 15)`.execute(context.db);
}

async function startWorker(labels: string[]): Promise<void> {
  const media: WorkerMedia = { ffmpeg: "7.1", origin: "path", missingLimits: [] };
  const worker = {
    id: randomUUID(),
    host: "studio",
    version: "1.2.3",
    media,
    pid: 7,
    concurrency: 1,
    canDrain: true,
    labels,
  };
  await registerWorker(context, worker, { isAlone: false });
}

/** Returns the jobs whose videos probe or may be claimed. */
async function checkHosts(): Promise<{ probe: string; awake: string[] }> {
  await wakeWaiting(context, async () => Date.now() + 1_000);
  const probe = await context.db
    .selectFrom("hosts")
    .innerJoin("job_videos", "job_videos.id", "probe_task")
    .select("job_id")
    .executeTakeFirstOrThrow();
  const awake = await context.queue.videos.peek(99, ["gpu"]);
  return { probe: probe.job_id, awake: awake.map(({ jobId }) => jobId).toSorted() };
}

it("probes a host with a video that a live worker can take", async () => {
  const [gpu, plain] = [await createWaiting(9, "gpu"), await createWaiting(1)];
  await restUntilNow();
  await startWorker([]);
  expect(await checkHosts()).toEqual({ probe: plain, awake: [plain] });
  // The last worker that could take the probe is lost.
  await sql`update workers set beat_at = now() - interval '1 minute'`.execute(context.db);
  expect(await checkHosts()).toEqual({ probe: plain, awake: [plain] });
  await sql`update job_videos set status = 'Completed' where job_id = ${plain}`.execute(context.db);
  await sql`update pgboss.job set state = 'completed' where data->>'jobId' = ${plain}`.execute(context.db);
  await startWorker(["gpu"]);
  expect(await checkHosts()).toEqual({ probe: gpu, awake: [gpu] });
});

it("probes with another video if no worker can take the first, by itself or when an operator retries", async () => {
  const gpu = await createWaiting(9, "gpu");
  await restUntilNow();
  // Without workers, one video is woken, so that an autoscaler starts a worker for it.
  expect(await checkHosts()).toEqual({ probe: gpu, awake: [gpu] });
  await startWorker([]);
  await sql`update workers set pause_reasons = '{worker-paused}'`.execute(context.db);
  expect(await checkHosts()).toEqual({ probe: gpu, awake: [gpu] });
  await sql`update workers set pause_reasons = '{}'`.execute(context.db);
  const plain = await createWaiting(1);
  expect(await retryNow(context, plain, {})).toEqual({ success: true });
  expect(await checkHosts()).toEqual({ probe: plain, awake: [gpu, plain].toSorted() });
});

it("prefers a video without labels while no worker runs, even to an earlier probe", async () => {
  const gpu = await createWaiting(9, "gpu");
  await restUntilNow();
  expect(await checkHosts()).toEqual({ probe: gpu, awake: [gpu] });
  const plain = await createWaiting(1);
  expect(await checkHosts()).toEqual({ probe: plain, awake: [gpu, plain].toSorted() });
  expect(await checkHosts()).toEqual({ probe: plain, awake: [gpu, plain].toSorted() });
});
