/** Sends verdicts in order while the reviewer continues, and keeps those that the network lost. */
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { REVIEW_LIMITS, type Review } from "#contract/jobs/outputs/review.ts";

/** `isStuck`: the last request failed and will be repeated. */
type VerdictQueueState = { unsaved: ReadonlyMap<string, Review>; isStuck: boolean };

export type VerdictQueue = {
  add: (reviews: readonly Review[]) => void;
  read: () => VerdictQueueState;
  subscribe: (listener: () => void) => () => void;
};

type VerdictQueueOptions = {
  send: (reviews: Review[]) => Promise<JobOutput[]>;
  /** Whether a failed request may succeed later. */
  isTransient: (error: unknown) => boolean;
  /** Resolves when a failed request should be repeated. */
  wait: () => Promise<unknown>;
  /** Resolves when screens have the rows. Until then, their verdicts count as unsaved. */
  onSaved: (rows: JobOutput[]) => Promise<void>;
  /** Verdicts that the server did not accept; `error` is null for files that are gone. */
  onRefused: (reviews: Review[], error: unknown) => void;
};

/**
 * Creates a queue. One request is in flight at a time; the next one carries all verdicts made meanwhile, the last one
 * of each file.
 */
export function createVerdictQueue(options: VerdictQueueOptions): VerdictQueue {
  const listeners = new Set<() => void>();
  let waiting = new Map<string, Review>();
  let state: VerdictQueueState = { unsaved: waiting, isStuck: false };
  let isRunning = false;

  function publish(sending: ReadonlyMap<string, Review>, isStuck: boolean) {
    state = { unsaved: new Map([...sending, ...waiting]), isStuck };
    for (const listener of listeners) listener();
  }

  async function run() {
    isRunning = true;
    while (waiting.size > 0) {
      const sending = new Map([...waiting].slice(0, REVIEW_LIMITS.files));
      waiting = new Map([...waiting].slice(sending.size));
      publish(sending, state.isStuck);
      sendingNow = sending;
      const isSent = await sendAll(sending);
      sendingNow = new Map();
      if (!isSent) waiting = new Map([...sending, ...waiting]);
      publish(sendingNow, !isSent);
      if (!isSent) await options.wait();
    }
    isRunning = false;
  }

  /** Returns false if the request should be repeated. */
  async function sendAll(sending: ReadonlyMap<string, Review>): Promise<boolean> {
    try {
      const rows = await options.send([...sending.values()]);
      await options.onSaved(rows);
      const saved = new Set(rows.map(({ id }) => id));
      const gone = [...sending.values()].filter(({ outputId }) => !saved.has(outputId));
      if (gone.length > 0) options.onRefused(gone, null);
    } catch (error) {
      if (options.isTransient(error)) return false;
      options.onRefused([...sending.values()], error);
    }
    return true;
  }

  let sendingNow: ReadonlyMap<string, Review> = new Map();
  return {
    add(reviews) {
      for (const review of reviews) waiting.set(review.outputId, review);
      publish(sendingNow, state.isStuck);
      if (!isRunning) void run();
    },
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
