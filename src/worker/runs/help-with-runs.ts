import path from "node:path";
import { findTasksOfStoppedJobs } from "#operations/jobs/cancel-job.ts";
import { createHostRecords } from "#operations/hosts/host-records.ts";
import { isCurrentAttempt, noteRunEnded, runsFolderOf } from "#operations/jobs/runs/shared-runs.ts";
import { encodeOrderedRun, engineLabels } from "#media/render/encode-run-order.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import type { Claimed, RunTask } from "#queue/open-queue.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import { createContact } from "#operations/hosts/contact-host.ts";
import { fetchVideo } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";
import { hashesOf, hasResult, putResult, readOrder, type SharedOrder, takeDrawings } from "./run-files.ts";

/** Encodes runs of other workers' videos, one at a time, while no video waits that this worker may claim. */
export async function workOnRuns(
  worker: WorkerContext,
  pause: PauseReasons,
  onHelping: (isHelping: boolean) => void,
): Promise<TaskWork<RunTask>> {
  const { queue, storage } = worker.context;
  // Consecutive tasks are mostly of one video.
  let last: { key: string; order: SharedOrder } | null = null;
  const readLast = async (key: string): Promise<SharedOrder> => {
    last = last?.key === key ? last : { key, order: await readOrder(storage, key) };
    return last.order;
  };
  /** Of the last video that could not be fetched or encoded. Each try would be a request to its host. */
  let failedOrder: string | null = null;
  return await workOnTasks(worker, pause, {
    queue: queue.runs,
    concurrency: 1,
    whose: {
      labels: [...worker.labels, ...engineLabels(worker.tools)],
      mayClaim: async () => (await queue.videos.peek(1, worker.labels)).length === 0,
    },
    cancelIdOf: (task) => task.jobId,
    findStopped: (tasks) => findTasksOfStoppedJobs(worker.context, tasks),
    async runAttempt(task, cancelSignal) {
      if (task.order === failedOrder) return await noteEnd(worker, task);
      onHelping(true);
      const hasHelped = await help({ ...worker, readOrder: readLast }, task, cancelSignal).finally(() =>
        onHelping(false),
      );
      if (!hasHelped) failedOrder = task.order;
    },
    // They are never lost: the video's own worker encodes the run.
    endLost: async () => {},
  });
}

type Helper = WorkerContext & { readOrder: (key: string) => Promise<SharedOrder> };

/**
 * Returns false after a failure: the video's own worker encodes what is not delivered. Rejects when the worker stops or
 * loses the task.
 */
async function help(worker: Helper, task: Claimed<RunTask>, cancelSignal: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([task.signal, cancelSignal]);
  const { jobId, videoId, place } = task;
  let hasHelped = false;
  try {
    if (await deliverRun(worker, task, signal)) {
      worker.figures?.runDelivered();
      worker.log.info({ jobId, videoId, run: place }, "encoded a run of another worker's video");
    }
    hasHelped = true;
  } catch (error) {
    if (task.signal.aborted) throw error;
    if (!cancelSignal.aborted)
      worker.log.warn({ err: error, jobId, videoId, run: place }, "could not help with a video");
  }
  await noteEnd(worker, task);
  return hasHelped;
}

function noteEnd(worker: WorkerContext, { taskId, signal }: Claimed<RunTask>): Promise<void> {
  return retryUntilWritten(signal, () => noteRunEnded(worker.context, taskId));
}

/** False if the run is not needed any longer, or stored already. */
async function deliverRun(worker: Helper, task: Claimed<RunTask>, signal: AbortSignal): Promise<boolean> {
  const { context } = worker;
  const { videoId, place } = task;
  const isNeeded = () => isCurrentAttempt(context.db, { videoId, attempt: task.videoAttempt });
  if (!(await isNeeded())) return false;
  const order = await worker.readOrder(task.order);
  const at = { storage: context.storage, folder: runsFolderOf(task), signal };
  if (await hasResult(at, order, place)) return false;
  await using made = await makeScratch(worker.scratchRoot, videoId);
  const scratch = made.folder;
  const hashes = new Map(order.drawings.map(([at, identity]) => [at, hashesOf(identity)]));
  const { lines, into } = order.runs[place]!;
  const shown = [...lines, ...(into ? [into] : [])].flatMap(({ layers }) =>
    layers.flatMap(({ drawing }) => hashes.get(drawing) ?? []),
  );
  const streams = await encodeOrderedRun(order, place, {
    ...{ tools: worker.tools, encoderSlots: worker.encoderSlots, signal },
    fileOf: (name) => path.join(scratch, name),
    sources: await fetchSources(worker, task, order, { scratch, signal }),
    drawings: await takeDrawings(at, [...new Set(shown)], scratch),
  });
  if (!(await isNeeded())) return false;
  await putResult(at, order, place, { streams, scratch });
  return true;
}

/** Those of the run, by place. Throws if a source has changed since the video was planned. */
async function fetchSources(
  worker: WorkerContext,
  { jobId, taskId, place }: RunTask,
  order: SharedOrder,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<Map<number, string>> {
  const { source, into } = order.runs[place]!;
  const contact = createContact(createHostRecords(worker, taskId), signal);
  const fetcher = { ...worker, reader: createSourceReader(worker.context) };
  const paths = new Map<number, string>();
  for (const at of new Set([source, ...(into ? [into.source] : [])])) {
    const fetching = { jobId, folder: scratch, signal, contact };
    const fetched = await worker.prefetcher.foreground(() => fetchVideo(fetcher, order.links[at]!, fetching));
    if (fetched.revision !== order.sources[at]!.revision) throw new Error("The source has changed.");
    paths.set(at, fetched.path);
  }
  return paths;
}
