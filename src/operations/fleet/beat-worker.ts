import { sql } from "kysely";
import type { DiskState, PauseReason } from "#contract/settings/system.ts";
import type { Context } from "../context.ts";
import { isQueuePaused } from "./queue-pause.ts";
import type { WorkerStart } from "./register-worker.ts";

/** The current state of a worker. */
export type WorkerBeat = WorkerStart & {
  name: string;
  /** Ids of the videos in progress. */
  doing: string[];
  captionVideos: number;
  speed: number | null;
  pauseReasons: PauseReason[];
  disk: DiskState | null;
};

/** The orders for a worker. */
export type WorkerOrders = {
  isPaused: boolean;
  isDraining: boolean;
  /** Null keeps the concurrency that the worker started with. */
  wantedConcurrency: number | null;
  isQueuePaused: boolean;
};

/**
 * Sends a worker's heartbeat and state, and returns its orders. A worker that was forgotten is added again, with the
 * orders in `known`.
 */
export async function beatWorker(
  context: Pick<Context, "db">,
  beat: WorkerBeat,
  known: Omit<WorkerOrders, "isQueuePaused">,
): Promise<WorkerOrders> {
  const { id, name, version, media, pid, canDrain } = beat;
  const now = {
    concurrency: beat.concurrency,
    doing: sql<string[]>`${beat.doing}::uuid[]`,
    caption_videos: beat.captionVideos,
    speed: beat.speed,
    pause_reasons: beat.pauseReasons,
    disk: beat.disk,
  };
  const orders = {
    is_paused: known.isPaused,
    is_draining: known.isDraining,
    wanted_concurrency: known.wantedConcurrency,
  };
  return await context.db
    .insertInto("workers")
    .values({ id, name, version, media, pid, can_drain: canDrain, ...now, ...orders })
    .onConflict((worker) => worker.column("id").doUpdateSet({ ...now, beat_at: sql<string>`now()` }))
    .returning([
      "is_paused as isPaused",
      "is_draining as isDraining",
      "wanted_concurrency as wantedConcurrency",
      isQueuePaused.as("isQueuePaused"),
    ])
    .executeTakeFirstOrThrow();
}

/** Removes a worker that stops. */
export async function leaveFleet(context: Pick<Context, "db">, id: string): Promise<void> {
  await context.db.deleteFrom("workers").where("id", "=", id).execute();
}
