import { sql } from "kysely";
import type { DiskState, PauseReason } from "#contract/settings/system.ts";
import type { Context } from "../context.ts";
import { isQueuePaused } from "./queue-pause.ts";
import type { WorkerStart } from "./register-worker.ts";

export type WorkerHeartbeat = WorkerStart & {
  name: string;
  /** Ids of videos in progress. */
  doing: string[];
  captionVideos: number;
  speed: number | null;
  pauseReasons: PauseReason[];
  disk: DiskState | null;
};

export type WorkerOrders = {
  isPaused: boolean;
  isDraining: boolean;
  /** Null keeps the initial concurrency. */
  wantedConcurrency: number | null;
  isQueuePaused: boolean;
};

/** Returns the worker's orders. Adds a forgotten worker again, with its `known` orders. */
export async function recordHeartbeat(
  context: Pick<Context, "db">,
  beat: WorkerHeartbeat,
  known: Omit<WorkerOrders, "isQueuePaused">,
): Promise<WorkerOrders> {
  const { id, name, version, media, pid, canDrain, labels } = beat;
  const now = {
    concurrency: beat.concurrency,
    doing: sql<string[]>`${beat.doing}::uuid[]`,
    caption_videos: beat.captionVideos,
    speed: beat.speed,
    pause_reasons: beat.pauseReasons,
    disk: beat.disk,
    // The encoder changes when its device fails.
    media,
  };
  const orders = {
    is_paused: known.isPaused,
    is_draining: known.isDraining,
    wanted_concurrency: known.wantedConcurrency,
  };
  return await context.db
    .insertInto("workers")
    .values({ id, name, version, pid, can_drain: canDrain, labels: [...labels], ...now, ...orders })
    .onConflict((worker) => worker.column("id").doUpdateSet({ ...now, beat_at: sql<string>`now()` }))
    .returning([
      "is_paused as isPaused",
      "is_draining as isDraining",
      "wanted_concurrency as wantedConcurrency",
      isQueuePaused.as("isQueuePaused"),
    ])
    .executeTakeFirstOrThrow();
}

/** Call it after the last heartbeat, so that the worker does not count as lost. */
export async function unregisterWorker(context: Pick<Context, "db">, id: string): Promise<void> {
  await context.db.deleteFrom("workers").where("id", "=", id).execute();
}
