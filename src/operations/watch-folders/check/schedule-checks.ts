import { type Selectable, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Claimed, FolderTask } from "#queue/open-queue.ts";
import type { Context } from "../../context.ts";

/** When the next check is due during one, unless another is requested. */
const CHECKING = "9999-01-01T00:00:00Z";

export type FolderRow = Selectable<Tables["watch_folders"]>;

export async function enqueueCheck(
  { queue }: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  folders: readonly Pick<FolderRow, "id" | "kind" | "place">[],
): Promise<void> {
  const tasks = folders.map(({ id, kind, place }) => ({ folderId: id, labels: kind === "local" ? [place] : [] }));
  if (tasks.length > 0) await queue.folders.enqueue(trx, tasks);
}

/** Also for a folder that was just resumed: the task of a paused one is held. */
export async function makeDue({ queue }: Pick<Context, "queue">, trx: Transaction<Tables>, id: string): Promise<void> {
  await trx
    .updateTable("watch_folders")
    .set({ next_check_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
  await queue.folders.release(trx, [id], 0);
  await queue.folders.wake(trx, [id]);
}

/**
 * Adds tasks for folders of earlier versions and their backups, and makes those due whose time is from before the
 * database's clock was set back.
 */
export async function reviveChecks(context: Pick<Context, "db" | "queue">): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await enqueueCheck(context, trx, await trx.selectFrom("watch_folders").select(["id", "kind", "place"]).execute());
    const late = await trx
      .selectFrom("watch_folders")
      .select("id")
      .where("paused_at", "is", null)
      .where(sql<boolean>`next_check_at > now() + make_interval(secs => interval_seconds + 60)`)
      .where(sql<boolean>`next_check_at < ${CHECKING}::timestamptz`)
      .forUpdate()
      .execute();
    for (const { id } of late) await makeDue(context, trx, id);
  });
}

/** Returns null for a removed folder, and for a paused one, whose task is then held. */
export async function startCheck(
  { db, queue }: Pick<Context, "db" | "queue">,
  { folderId, ...numbering }: Claimed<FolderTask>,
): Promise<FolderRow | null> {
  return await db.transaction().execute(async (trx) => {
    const folder = await trx
      .updateTable("watch_folders")
      // Until the check ends, or another is requested.
      .set({
        next_check_at: sql<string>`case when paused_at is null then ${CHECKING}::timestamptz else next_check_at end`,
      })
      .where("id", "=", folderId)
      .returningAll()
      .executeTakeFirst();
    if (!folder || folder.paused_at === null) return folder ?? null;
    await queue.folders.putBack(trx, { id: folderId, ...numbering }, { isHeld: true });
    return null;
  });
}

/** A check that was requested meanwhile is already due. */
export async function endCheck(
  { db, queue }: Pick<Context, "db" | "queue">,
  { folderId, ...numbering }: Claimed<FolderTask>,
  { last_fault, waitSeconds }: { last_fault: string | null; waitSeconds: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const folder = await trx
      .updateTable("watch_folders")
      .set({
        last_fault: sql<string | null>`case when paused_at is null then ${last_fault}::text end`,
        last_check_at: sql<string>`now()`,
        next_check_at: sql<string>`least(next_check_at, now() + make_interval(secs => ${waitSeconds}))`,
      })
      .where("id", "=", folderId)
      .returning([
        sql<boolean>`paused_at is not null`.as("isPaused"),
        sql<number>`greatest(0, extract(epoch from next_check_at - now()))::float8`.as("waitSeconds"),
        sql<number>`extract(epoch from next_check_at - timestamptz '2026-01-01Z')::int`.as("place"),
      ])
      .executeTakeFirst();
    if (!folder) return;
    const again = { isHeld: folder.isPaused, waitSeconds: folder.waitSeconds };
    await queue.folders.putBack(trx, { id: folderId, ...numbering }, again);
    // Folders that have been due for longest go first.
    await queue.folders.move(trx, [folderId], folder.place);
  });
}

/** For a check that a shutdown has cut off. */
export async function abandonCheck({ db }: Pick<Context, "db">, id: string): Promise<void> {
  await db
    .updateTable("watch_folders")
    .set({ next_check_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
}
