import { type Selectable, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { repeat } from "#ground/repeat.ts";
import type { Context } from "../../context.ts";

/** Others take over a killed server's folder after this time. */
const CLAIM_SECONDS = 30;
const RENEW_MS = 10_000;

type Folder = Selectable<Tables["watch_folders"]>;

/**
 * Claims the folder due for longest. Claims only save work: concurrent checks do no harm. `localNames` are this
 * server's local folders.
 */
export async function claimFolder({ db }: Pick<Context, "db">, localNames: readonly string[]): Promise<Folder | null> {
  const due = db
    .selectFrom("watch_folders")
    .select("id")
    .where("paused_at", "is", null)
    .where((eb) => eb.or([eb("kind", "!=", "local"), eb("place", "=", sql<string>`any(${localNames}::text[])`)]))
    // Times far in the future are from before the database's clock was set back.
    .where(
      sql<boolean>`(next_check_at <= now() or next_check_at > now() + make_interval(secs => interval_seconds + 60))`,
    )
    .where(
      sql<boolean>`(checked_until is null or checked_until <= now() or checked_until > now() + interval '5 minutes')`,
    )
    .orderBy("next_check_at")
    .limit(1)
    .forUpdate()
    .skipLocked();
  const claimed = await db
    .updateTable("watch_folders")
    .set({
      checked_until: claimEnd(),
      next_check_at: sql<string>`now() + make_interval(secs => interval_seconds)`,
    })
    .where("id", "=", due)
    .returningAll()
    .executeTakeFirst();
  return claimed ?? null;
}

export async function isAnyWatched({ db }: Pick<Context, "db">): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (select from watch_folders where paused_at is null) as "isAny"`.execute(db);
  return rows[0]!.isAny;
}

/** Renews the claim until disposed. */
export function holdClaim({ db }: Pick<Context, "db">, id: string): Disposable {
  const renew = async (): Promise<void> => {
    await db.updateTable("watch_folders").set({ checked_until: claimEnd() }).where("id", "=", id).execute();
  };
  // A failure ends the claim early, which does no harm.
  const renewing = repeat(renew, { everyMs: RENEW_MS, firstMs: RENEW_MS, onError: () => {} });
  return { [Symbol.dispose]: () => void renewing.stop() };
}

function claimEnd() {
  return sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS}::int)`;
}
