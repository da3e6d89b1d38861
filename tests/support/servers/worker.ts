/** A back end without its server: database, queue, storage, and a twin of Google Drive. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { COST_LIMITS, isFinal, type Job, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { createSlots } from "#ground/slots.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { openStreamCache, type StreamCache } from "#media/render/stream-cache.ts";
import { openTextDrawer, type TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { readDatabaseTime } from "#operations/hosts/wake-waiting.ts";
import { openSourceCache } from "#worker/sources/source-cache.ts";
import { createPrefetcher } from "#worker/sources/create-prefetcher.ts";
import { startWorker, type Worker } from "#worker/start-worker.ts";
import type { WorkerContext } from "#worker/worker-context.ts";
import { type DriveTwin, startDriveTwin } from "../twins/google-drive/google-drive-twin.ts";
import { testTools } from "../media/media-tools.ts";
import type { TestStorage } from "./storages.ts";
import { createProbeCache } from "#worker/sources/probe-cache.ts";
import { baseUrlsOf, openTestContext, type TestContextOptions } from "../test-context.ts";

export type TestWorker = {
  folder: string;
  database: Database;
  context: Context & ActorContext;
  streams: StreamCache;
  drawer: TextDrawer;
  list: TestStorage["list"];
  twin: DriveTwin;
  /** Separate, so that jobs can be created first. */
  start(
    concurrency?: number,
    options?: Partial<
      Pick<WorkerContext, "figures" | "disk" | "tools" | "ownWaits" | "readNow" | "costLimits" | "log">
    > & {
      onDrained?: () => void;
    },
  ): Promise<Worker>;
  create(request: Partial<CreateJobRequest> & Pick<CreateJobRequest, "input_videos">): Promise<WholeJob>;
  finish(job: Job, maxDurationMs?: number): Promise<WholeJob>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The caller must dispose of it. OpenAI is unreachable by default. */
export async function openTestWorker(options: TestContextOptions = {}): Promise<TestWorker> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-worker-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const twin = await startDriveTwin();
  stack.defer(() => twin.close());
  const hosts = { baseUrls: baseUrlsOf(twin.url), ...options.hosts };
  const { database, storage, context } = await openTestContext(stack, folder, { ...options, hosts });
  const streams = await openStreamCache(path.join(folder, "streams"), 1024 ** 3);
  const drawer = stack.use(openTextDrawer());
  const running = stack.move();
  return {
    folder,
    database,
    streams,
    drawer,
    list: (below) => storage.list(below),
    context,
    twin,
    async start(concurrency = 1, { onDrained, ...options } = {}) {
      const fetcher = {
        context,
        tools: await testTools(),
        sources: await openSourceCache(path.join(folder, "cache"), 1024 ** 3),
        probes: createProbeCache(),
        scratchRoot: path.join(folder, "scratch"),
        ...options,
      };
      const worker = await startWorker(
        {
          ...fetcher,
          database,
          drawer,
          streams,
          encoderSlots: createSlots(PIXELS_PER_RUN),
          prefetcher: createPrefetcher(fetcher),
          costLimits: COST_LIMITS,
          labels: [],
          log: pino({ level: "silent" }),
          readNow: () => readDatabaseTime(context),
          ...options,
        },
        concurrency,
        onDrained && { onDrained },
      );
      running.defer(() => worker.stop());
      return worker;
    },
    create: (request) => createJob(context, { job_name: "A job", ...request }, null),
    async finish(job, maxDurationMs = 60_000) {
      let ended: WholeJob | null = null;
      await expect
        .poll(async () => isFinal((ended = await readJob(context, job.id))!.status), {
          timeout: maxDurationMs,
          interval: 50,
        })
        .toBe(true);
      return ended!;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
