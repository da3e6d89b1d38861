import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type Transaction } from "kysely";
import { fromKysely, type PgBoss } from "pg-boss";
import type { Tables } from "#database/tables.ts";
import { repeat } from "#ground/repeat.ts";
import { LEASE_SECONDS } from "../create-queues.ts";
import type { ClaimedTask, ClaimEnds } from "../run-claim.ts";
import { VIDEO_TASKS, type VideoTask } from "../task-kinds.ts";
import * as table from "../task-table.ts";
import type { DueTasks } from "./watch-due-tasks.ts";

const { queue } = VIDEO_TASKS;
const SUPERVISE_MS = 1_000;
/** After the last use: longer than a lease. */
const SUPERVISED_MS = 60_000;

/** `retryCount` counts the claims before it. */
export type VideoClaim = { videoId: string; retryCount: number };

/**
 * Claims of videos for workers that reach the queue only through this process, which claims, renews and ends for them.
 * Such workers get only videos that require a label.
 */
export type LentClaims = {
  claim(
    trx: Transaction<Tables>,
    wanted: { labels: readonly string[]; links: readonly string[] },
  ): Promise<ClaimedTask<VideoTask> | null>;
  /** Null if another worker has taken over, or the claim has ended. */
  read(db: Kysely<Tables>, claim: VideoClaim): Promise<VideoTask | null>;
  /** Returns those that still have their task. */
  renew(claims: readonly VideoClaim[]): Promise<VideoClaim[]>;
  complete(claim: VideoClaim): Promise<void>;
  /** `error` may request a delay. `attempt` counts from 1. */
  fail(claim: VideoClaim, failed: { error: unknown; attempt: number }): Promise<void>;
  undo(claim: VideoClaim): Promise<void>;
  /** Puts the videos back, without counting an attempt, although their workers may still be writing. */
  takeBack(trx: Transaction<Tables>, claims: readonly VideoClaim[]): Promise<void>;
  /** Resolves when a worker with these labels can claim a video, at the latest when the signal aborts. */
  waitForTask(labels: readonly string[], signal: AbortSignal): Promise<void>;
};

type Options = {
  boss: PgBoss;
  ends: ClaimEnds;
  due: DueTasks;
  stopping: AbortSignal;
  isEmbedded: boolean;
  onError: (error: Error) => void;
};

export function lendClaims({ boss, ends, due, stopping, isEmbedded, onError }: Options): LentClaims {
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const one of waiting) one();
  };
  let listening: Promise<void> | null = null;
  const listen = (): Promise<void> =>
    (listening ??= due.onDue(queue, { wake, isFull: () => false }).catch((error: unknown) => {
      listening = null;
      throw error;
    }));
  let usedMs = -Infinity;
  const failLost = async (): Promise<number> => {
    for (const { handedBack, ...ref } of await table.listExpired(boss.getDb(), queue)) {
      const error = new Error("The worker was killed, or lost the server.");
      await ends.fail(ref, { error, attempt: ref.retryCount + 1 - handedBack });
    }
    return performance.now() - usedMs < SUPERVISED_MS ? SUPERVISE_MS : Infinity;
  };
  // On the embedded database, only these claims have a lease, so pg-boss looks for lost ones just once a minute.
  const supervising = isEmbedded
    ? repeat(failLost, { everyMs: SUPERVISE_MS, firstMs: Infinity, signal: stopping, onError })
    : null;
  const noteUse = (): void => {
    usedMs = performance.now();
    supervising?.notify();
  };

  return {
    async claim(trx, { labels, links }) {
      noteUse();
      const options = { labels, links, leaseSeconds: LEASE_SECONDS, isLabeled: true };
      return (await table.claimNext(fromKysely(trx), queue, options)) as ClaimedTask<VideoTask> | null;
    },
    read: async (db, claim) => (await table.readClaimed(db, refOf(claim))) as VideoTask | null,
    async renew(claims) {
      noteUse();
      const kept = await table.renewLeases(boss.getDb(), claims.map(refOf));
      return kept.map(({ id, retryCount }) => ({ videoId: id, retryCount }));
    },
    complete: async (claim) => void (await ends.complete(refOf(claim))),
    fail: async (claim, failed) => void (await ends.fail(refOf(claim), failed)),
    undo: async (claim) => void (await ends.undo(refOf(claim))),
    async takeBack(trx, claims) {
      const ids = await table.takeClaims(trx, claims.map(refOf));
      if (ids.length > 0) await table.notifyWorkers(trx, queue);
    },
    async waitForTask(labels, outer) {
      const signal = AbortSignal.any([outer, stopping]);
      await listen();
      while (!signal.aborted) {
        const turn = Promise.withResolvers<void>();
        waiting.add(turn.resolve);
        try {
          // After the registration, so that no notice is missed.
          const [first] = await table.peek(boss.getDb(), queue, { labels, isLabeled: true }, 1);
          if (first !== undefined) return;
          await Promise.race([turn.promise, delay(MAX_QUIET_MS, undefined, { signal, ref: false })]);
        } catch (error) {
          if (!signal.aborted) throw error;
        } finally {
          waiting.delete(turn.resolve);
        }
      }
    },
  };
}

/** Covers a missed notice. */
const MAX_QUIET_MS = 30_000;

function refOf({ videoId, retryCount }: VideoClaim): table.ClaimRef {
  return { queue, id: videoId, retryCount };
}
