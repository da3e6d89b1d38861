/** Sends verdicts in order while the reviewer continues; keeps those that failed to send. */
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { REVIEW_LIMITS, type Review } from "#contract/jobs/outputs/review.ts";

/** `isStuck`: the last request failed and will be retried. */
type VerdictQueueState = { unsaved: ReadonlyMap<string, Review>; isStuck: boolean };

export type VerdictQueue = {
  add: (reviews: readonly Review[]) => void;
  read: () => VerdictQueueState;
  subscribe: (listener: () => void) => () => void;
};

type VerdictQueueOptions = {
  send: (reviews: Review[]) => Promise<JobOutput[]>;
  /** True if a retry may succeed. */
  isTransient: (error: unknown) => boolean;
  /** Resolves when the failed request should be retried. */
  wait: () => Promise<unknown>;
  /** Resolves once the screens have the rows. Until then, their verdicts count as unsaved. */
  onSaved: (rows: JobOutput[]) => Promise<void>;
  /** `error` is null for deleted files. */
  onDropped: (reviews: Review[], error: unknown) => void;
};

/** Sends one request at a time; the next carries each file's latest verdict made meanwhile. */
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

  async function sendAll(sending: ReadonlyMap<string, Review>): Promise<boolean> {
    try {
      const rows = await options.send([...sending.values()]);
      await options.onSaved(rows);
      const saved = new Set(rows.map(({ id }) => id));
      const gone = [...sending.values()].filter(({ outputId }) => !saved.has(outputId));
      if (gone.length > 0) options.onDropped(gone, null);
    } catch (error) {
      if (options.isTransient(error)) return false;
      options.onDropped([...sending.values()], error);
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
