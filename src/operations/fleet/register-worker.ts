import { type Kysely, sql } from "kysely";
import type { DiskState, PauseReason, WorkerMedia } from "#contract/settings/system.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { isLost, isOld } from "./list-workers.ts";
import { isQueuePaused } from "./queue-pause.ts";

export type WorkerStart = {
  /** Unique per process. */
  id: string;
  /** Only for a worker without the database. */
  tokenId?: string;
  host: string;
  version: string;
  media: WorkerMedia;
  pid: number;
  concurrency: number;
  canDrain: boolean;
  labels: readonly string[];
};

/**
 * Returns the worker's name: the host's, numbered if several are alive. `isAlone`: no other can be alive. The worker
 * takes over the name of its predecessor `formerId`; one that is alive after all, on a copy of the data directory,
 * returns with its next heartbeat.
 */
export function registerWorker(
  context: Pick<Context, "db">,
  start: WorkerStart,
  { isAlone, formerId = null }: { isAlone: boolean; formerId?: string | null },
): Promise<string> {
  const { id, tokenId = null, host, version, media, pid, concurrency, canDrain, labels } = start;
  return context.db.transaction().execute(async (trx) => {
    // Two concurrent starts would take the same name.
    await sql`select pg_advisory_xact_lock(hashtext('clipmill workers'))`.execute(trx);
    // A row with its own ID remains from a start whose response was lost.
    const own = formerId === null ? [id] : [formerId, id];
    const former = await trx.deleteFrom("workers").where("id", "in", own).returning("name").executeTakeFirst();
    await trx
      .deleteFrom("workers")
      .where(isAlone ? sql<boolean>`true` : isOld)
      .execute();
    const name = await freeName(trx, host, former?.name);
    // A free name's row is a lost worker's, which this one replaces.
    await trx.deleteFrom("workers").where("name", "=", name).execute();
    await trx
      .insertInto("workers")
      .values({
        id,
        token_id: tokenId,
        name,
        version,
        media,
        pid,
        concurrency,
        can_drain: canDrain,
        labels: [...labels],
        speed: null,
        disk: null,
      })
      .execute();
    return name;
  });
}

async function freeName(trx: Kysely<Tables>, host: string, former?: string): Promise<string> {
  const alive = await trx
    .selectFrom("workers")
    .select("name")
    .where((where) => where.not(isLost))
    .execute();
  const taken = new Set(alive.map((worker) => worker.name));
  const isOfHost = former?.startsWith(host) && /^(?: \d+)?$/.test(former.slice(host.length));
  if (isOfHost && !taken.has(former!)) return former!;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? host : `${host} ${number}`;
    if (!taken.has(name)) return name;
  }
}

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
  const { id, tokenId = null, name, version, media, pid, canDrain, labels } = beat;
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
    .values({ id, token_id: tokenId, name, version, pid, can_drain: canDrain, labels: [...labels], ...now, ...orders })
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
