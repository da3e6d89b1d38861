import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseWorkerLabels } from "#contract/jobs/worker-labels.ts";
import { untilAborted } from "#ground/until-aborted.ts";
import { CHUNK_LIMITS } from "#media/plan/chunks/with-chunks.ts";
import type { SharedRuns, ShareRuns } from "#media/render/render-run.ts";
import { costOfRuns } from "#media/plan/chunks/run-order.ts";
import { engineLabel } from "#media/render/encode-run-order.ts";
import {
  cancelRuns,
  enqueueRuns,
  hasIdleWorker,
  hasRunFiles,
  isRunOpen,
  keepRunFiles,
  removeRunFiles,
  RUN_CHANNEL,
  runsFolderOf,
  takeBackRun,
} from "#operations/jobs/runs/shared-runs.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { Attempt } from "../videos/attempt.ts";
import type { WorkerContext } from "../worker-context.ts";
import { NO_SHARING, type Sharing } from "./sharing.ts";
import { hasResult, putOrder, type SharedOrder, takeResult } from "./run-files.ts";

/** For missed notices, and for the tasks of killed workers, which are waiting again. */
const CHECK_MS = 2_000;
/** A run elsewhere may take so many times as long as the slowest one here. */
const PATIENCE = 3;
const LEAST_PATIENCE_MS = 60_000;

type Work = Parameters<ShareRuns>[0];
type Ref = { jobId: string; videoId: string; attempt: number };
type State = { ref: Ref; labels: readonly string[]; hasFiles: boolean };

/**
 * Has idle workers encode runs of a costly video. This worker encodes them from the first one on, and every run that no
 * other worker delivers. `links` are those of the requests' sources. Disposing removes the exchanged files.
 */
export function openSharing(
  worker: WorkerContext,
  { job, video, attempt, signal }: Pick<Attempt, "job" | "video" | "attempt" | "signal">,
  links: string[],
): Sharing {
  // No other process has tasks.
  if (worker.database.isEmbedded) return NO_SHARING;
  const ref = { jobId: job.id, videoId: video.id, attempt };
  const labels = parseWorkerLabels(job.worker_labels ?? "") ?? [];
  const sharing: State = { ref, labels, hasFiles: false };
  return {
    shareRuns(work) {
      // A straightened copy exists only here.
      const isStraightened = work.order.sources.some(({ isJoined }) => isJoined);
      if (isStraightened || costOfRuns(work.order) < CHUNK_LIMITS.leastMinutes) return null;
      return openSharedRuns(worker, { ...work, order: { ...work.order, links } }, sharing);
    },
    async [Symbol.asyncDispose]() {
      if (!sharing.hasFiles) return;
      await removeRunFiles(worker.context, ref, { isHandedBack: signal.aborted }).catch((error: unknown) => {
        worker.log.warn({ err: error, ...ref }, "could not remove the files of a shared video; trying again later");
      });
    },
  };
}

function openSharedRuns(
  worker: WorkerContext,
  { order, drawings, fileOf, signal, receive }: Omit<Work, "order"> & { order: SharedOrder },
  sharing: State,
): SharedRuns {
  const { context, log } = worker;
  const { ref, labels } = sharing;
  const at = { storage: context.storage, folder: runsFolderOf(ref), signal };
  const scratch = path.dirname(fileOf("order"));
  const write = <Result>(act: () => Promise<Result>) => retryUntilWritten(signal, act);
  const warn = (error: unknown): void => {
    if (!signal.aborted) log.warn({ err: error, ...ref }, "could not share a video with other workers");
  };

  /** Not encoded or taken by any worker, in order. */
  const waiting = [...order.runs.keys()];
  /** Open tasks by place. */
  const tasks = new Map<number, string>();
  /** Since when runs are known to be encoded elsewhere, by place. */
  const elsewhere = new Map<number, number>();
  let receiving: Promise<void> = Promise.resolve();
  let toReceive = 0;
  let failure: { error: unknown } | null = null;
  let mayShare = true;
  let changed = Promise.withResolvers<void>();
  const own = { slowestMs: 0, sinceMs: Infinity };

  const collect = async (place: number): Promise<void> => {
    const streams = await takeResult(at, order, place, scratch).catch(warn);
    if (streams) return await receive(streams);
    // Others may be unable to fetch the video.
    mayShare = false;
    waiting.unshift(place);
  };
  /** Of a run whose task has ended. Without its result, it is encoded here. */
  const receiveRun = (place: number): void => {
    tasks.delete(place);
    elsewhere.delete(place);
    if (waiting.includes(place)) waiting.splice(waiting.indexOf(place), 1);
    toReceive += 1;
    receiving = receiving
      .then(() => collect(place))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        toReceive -= 1;
        changed.resolve();
      });
  };
  const followNotice = (taskId: string): void => {
    for (const [place, id] of tasks) if (id === taskId) receiveRun(place);
  };
  const listening = worker.database.listen(RUN_CHANNEL, followNotice);
  listening.catch(warn);

  const receiveEarlier = async (): Promise<void> => {
    sharing.hasFiles = await hasRunFiles(context, at.folder);
    if (!sharing.hasFiles) return;
    for (const place of [...waiting]) if (await hasResult(at, order, place)) receiveRun(place);
    if (toReceive > 0) log.info({ ...ref, runs: toReceive }, "takes runs that an earlier attempt has stored");
  };
  const earlier = receiveEarlier().catch(warn);

  const share = async (): Promise<void> => {
    const toShare = waiting.slice(1);
    if (!mayShare || tasks.size > 0 || elsewhere.size > 0 || toShare.length === 0) return;
    if (!(await hasIdleWorker(context, { workerId: worker.id!, labels }))) return;
    sharing.hasFiles = true;
    await keepRunFiles(context, at.folder);
    const key = await putOrder(at, { order, drawings, scratch });
    const { jobId, videoId, attempt: videoAttempt } = ref;
    const required = [...labels, engineLabel(worker.tools, order.settings.codec)];
    const shared = toShare.map((place) => {
      return { taskId: randomUUID(), jobId, videoId, videoAttempt, order: key, place, labels: required };
    });
    for (const { place, taskId } of shared) tasks.set(place, taskId);
    await enqueueRuns(context, shared);
    log.info({ ...ref, runs: shared.length }, "shares a video with other workers");
  };

  const takeWaiting = async (): Promise<number | null> => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      const taskId = tasks.get(place);
      if (taskId === undefined) return place;
      const isBack = await write(() => takeBackRun(context, taskId));
      // The run may have been received meanwhile.
      if (!tasks.has(place)) continue;
      if (!isBack) elsewhere.set(place, performance.now());
      else if (tasks.delete(place)) return place;
    }
    return null;
  };

  const checkElsewhere = async (): Promise<void> => {
    for (const [place, sinceMs] of [...elsewhere]) {
      const taskId = tasks.get(place);
      if (taskId === undefined) continue;
      const isSlow = performance.now() - sinceMs > Math.max(LEAST_PATIENCE_MS, PATIENCE * own.slowestMs);
      if (isSlow) await write(() => cancelRuns(context, [taskId]));
      const isBack = isSlow || (await write(() => takeBackRun(context, taskId)));
      const hasEnded = !isBack && !(await write(() => isRunOpen(context, taskId)));
      if (!elsewhere.has(place)) continue;
      if (hasEnded) receiveRun(place);
      else if (isBack) {
        elsewhere.delete(place);
        tasks.delete(place);
        waiting.push(place);
      }
    }
  };

  return {
    async next() {
      own.slowestMs = Math.max(own.slowestMs, performance.now() - own.sinceMs);
      await earlier;
      for (;;) {
        signal.throwIfAborted();
        await share().catch(warn);
        const place = await takeWaiting();
        if (failure) throw failure.error;
        if (place !== null) {
          own.sinceMs = performance.now();
          return place;
        }
        if (elsewhere.size === 0 && toReceive === 0 && waiting.length === 0) return null;
        const pause = delay(CHECK_MS, undefined, { ref: false });
        await untilAborted(Promise.race([changed.promise, pause]), signal);
        changed = Promise.withResolvers();
        await checkElsewhere();
      }
    },
    async [Symbol.asyncDispose]() {
      const stopListening = await listening.catch(() => null);
      await stopListening?.();
      if (tasks.size > 0) await cancelRuns(context, [...tasks.values()]).catch(warn);
      await receiving;
    },
  };
}
