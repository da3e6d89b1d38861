/**
 * Worker process for bench/serving/workers.ts: the real queue and verbs on PostgreSQL, with a timer instead of fetching
 * and encoding. Arguments: database URL, number of workers, milliseconds per video, concurrent videos per worker.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "#database/open-database.ts";
import type { Context } from "#operations/context.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { reportVideo } from "#operations/jobs/videos/report-video.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { type ClaimedTask, openQueue, type Queue } from "#queue/open-queue.ts";
import { createProgressReporter } from "#worker/videos/progress-reporter.ts";

const PROGRESS_MS = 500;

const databaseUrl = process.argv[2]!;
const [workers, videoMs, slots] = process.argv.slice(3).map(Number) as [number, number, number];
const queues: Queue[] = [];
for (let i = 0; i < workers; i += 1) {
  // As many connections as a worker of a fleet has.
  const database = await openDatabase({ databaseUrl, dataDir: null, isWorker: true });
  const queue = await openQueue(database, (error) => console.error(error));
  queues.push(queue);
  const context = { db: database.db, queue } as Context;
  await queue.videos.work(slots, (task) => pretend(context, task));
}
console.log("ready");
process.on("SIGTERM", () => void Promise.all(queues.map((queue) => queue.stop())).then(() => process.exit(0)));

/** Makes one output with progress, as in process-video.ts and make-outputs.ts. */
async function pretend(context: Context, { jobId, videoId, attempt }: ClaimedTask): Promise<void> {
  if (!(await claimVideo(context, { jobId, videoId, startTag: 0 }, attempt))) return;
  const planned = [{ variant: 0, segment: 0, name: `${videoId}.mp4`, caption: null, track: null }];
  const video = { jobId, videoId, attempt };
  const pending = await planOutputs(context, { ...video, name: "clip.mp4", durationSeconds: 15 }, planned);
  const { id } = pending![0]!;
  const reporter = createProgressReporter({ report: (progress) => reportVideo(context, { ...video, ...progress }) });
  const startedMs = performance.now();
  for (let elapsedMs = 0; elapsedMs < videoMs; elapsedMs = performance.now() - startedMs) {
    const share = elapsedMs / videoMs;
    reporter.report({ stage: "Rendering", share, outputs: new Map([[id, share]]) });
    await delay(Math.min(PROGRESS_MS, videoMs - elapsedMs));
  }
  await reporter.settle();
  const file = {
    warnings: [],
    conformance: null,
    cover: null,
    contentKey: id,
    durationSeconds: 15,
    width: 1080,
    height: 1920,
    sizeBytes: 1,
    crc32: 1,
    sha256: null,
  };
  await completeOutput(context, video, { id, storageKey: `${id}.mp4`, thumbnailKey: `${id}.jpg`, ...file });
  await endVideo(context, video, { status: "Completed" });
}
