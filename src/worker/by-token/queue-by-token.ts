import type { Logger } from "pino";
import type { Database } from "#database/open-database.ts";
import { ClipmillError } from "#contract/errors.ts";
import { MAX_WAIT_SECONDS } from "#contract/workers/worker-protocol.ts";
import { repeat } from "#ground/repeat.ts";
import { CANCEL_CHANNEL } from "#operations/jobs/cancel-job.ts";
import { holdClaims } from "#queue/claims/hold-claims.ts";
import { type ClaimedTask, type ClaimEnds, runClaim, type Slot } from "#queue/run-claim.ts";
import { openTaskSlots } from "#queue/slots/task-slots.ts";
import type { TaskQueue } from "#queue/task-queue.ts";
import { VIDEO_TASKS, type VideoTask } from "#queue/task-kinds.ts";
import { claimPath } from "./records-by-token.ts";
import type { ServerLine } from "./server-line.ts";

const { queue } = VIDEO_TASKS;
/** Delay after a failed wait. */
const PAUSE_MS = 1_000;

/** Longer than a renewal counts. */
const RENEW_MS = 5_000;

type Renewed = { claims: VideoClaim[]; stoppedJobs: string[] };
type VideoClaim = { videoId: string; retryCount: number };

export type QueueByToken = {
  videos: Pick<TaskQueue<VideoTask>, "work" | "workLost">;
  /** Only for cancels: each renewal returns the jobs that are stopping. */
  listen: Database["listen"];
  isStopped: (jobId: string) => boolean;
  /** The claim of a task that is held. */
  claimOf: (videoId: string) => VideoClaim;
  /** Aborts a running task and puts it back without counting an attempt. */
  handBack(videoId: string): void;
  /** Aborts running tasks and puts them back without counting an attempt. */
  stopWorking(): Promise<void>;
};

/** The queue of videos, through the server: it claims and ends, and renews leases while this process runs. */
export function openQueueByToken(line: ServerLine, log: Logger): QueueByToken {
  const onError = (err: Error): void => log.error({ err }, "queue error");
  const stopping = new AbortController();
  const held = new Map<string, VideoClaim>();
  let stopped: ReadonlySet<string> = new Set();
  const cancelListeners = new Set<(jobId: string) => void>();
  const slotsWorking: { settled(): Promise<void> }[] = [];

  const claims = holdClaims(
    async (refs) => {
      const asked = refs.map(({ id, retryCount }) => ({ videoId: id, retryCount }));
      const renewed = await line.call<Renewed>("/renew", { claims: asked }, { signal: AbortSignal.timeout(RENEW_MS) });
      stopped = new Set(renewed.stoppedJobs);
      for (const jobId of stopped) for (const listener of cancelListeners) listener(jobId);
      return renewed.claims.map(({ videoId, retryCount }) => ({ queue, id: videoId, retryCount }));
    },
    { canBeTakenOver: true },
  );
  const settle = (ref: { id: string; retryCount: number }, end: object): Promise<unknown> =>
    line.call(`${claimPath({ videoId: ref.id, retryCount: ref.retryCount })}/settle`, end);
  const ends: ClaimEnds = {
    complete: (ref) => settle(ref, { how: "complete" }),
    fail(ref, { error, attempt }) {
      const retryAfterSeconds = error instanceof ClipmillError ? error.retryAfterSeconds : null;
      return settle(ref, { how: "fail", attempt, retryAfterSeconds });
    },
    undo: (ref) => settle(ref, { how: "undo" }),
  };
  const runner = { claims, ends, stopping: stopping.signal, tracing: null, onError };

  return {
    videos: {
      async work(concurrency, handle, { isPaused = false, readLinks = () => [] } = {}) {
        const unused: Slot[] = [];
        const slots = openTaskSlots<ClaimedTask<VideoTask>>(
          {
            claim: () => line.call("/claim", { links: readLinks() }),
            async run(task) {
              const slot = unused.pop() ?? { givenUp: 0 };
              const claim = { videoId: task.id, retryCount: task.retryCount };
              held.set(task.id, claim);
              await runClaim(runner, VIDEO_TASKS, { task, slot }, handle).catch(onError);
              if (held.get(task.id) === claim) held.delete(task.id);
              unused.push(slot);
            },
            signal: stopping.signal,
            onError: (error) => log.warn({ err: error }, "could not claim a video; retrying"),
          },
          { count: concurrency, isPaused },
        );
        const wait = async (signal: AbortSignal): Promise<void> => {
          if (!slots.isFull()) await line.call("/wait", { seconds: MAX_WAIT_SECONDS }, { signal });
          slots.wake();
        };
        repeat(wait, {
          everyMs: PAUSE_MS,
          signal: stopping.signal,
          onError: (error) => log.debug({ err: error }, "could not wait for videos"),
        });
        slotsWorking.push(slots);
        return slots;
      },
      // The server ends them.
      workLost: async () => {},
    },
    async listen(channel, onNotice) {
      if (channel !== CANCEL_CHANNEL) return async () => {};
      cancelListeners.add(onNotice);
      return async () => void cancelListeners.delete(onNotice);
    },
    isStopped: (jobId) => stopped.has(jobId),
    claimOf: (videoId) => held.get(videoId)!,
    handBack: (videoId) => claims.handBack(videoId),
    async stopWorking() {
      stopping.abort();
      await Promise.all(slotsWorking.map((slots) => slots.settled()));
      claims.stop();
    },
  };
}
