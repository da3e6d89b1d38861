import { sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Kysely } from "kysely";
import type { WorkerMedia } from "#contract/settings/system.ts";
import type { Context } from "../context.ts";
import { isLost, isOld } from "./worker-age.ts";

export type WorkerStart = {
  /** Of the process. */
  id: string;
  host: string;
  version: string;
  media: WorkerMedia;
  pid: number;
  concurrency: number;
  canDrain: boolean;
};

/**
 * Writes down that a worker has started, and returns the name it goes by: that of its host, numbered when several live
 * there. `isAlone` says that no other can be alive; `formerId` is a worker that is gone for certain, and whose place this one
 * takes, under its name where that is one of its host. If that one was alive after all, on a copy of the data directory, it is
 * there again with its next beat.
 */
export function registerWorker(
  context: Pick<Context, "db">,
  start: WorkerStart,
  { isAlone, formerId = null }: { isAlone: boolean; formerId?: string | null },
): Promise<string> {
  const { id, host, version, media, pid, concurrency, canDrain } = start;
  return context.db.transaction().execute(async (trx) => {
    // One after the other, or two that start at once take the same name.
    await sql`select pg_advisory_xact_lock(hashtext('clipmill workers'))`.execute(trx);
    const former = await trx.deleteFrom("workers").where("id", "=", formerId).returning("name").executeTakeFirst();
    await trx
      .deleteFrom("workers")
      .where(isAlone ? sql<boolean>`true` : isOld)
      .execute();
    const name = await freeName(trx, host, former?.name);
    // It is lost, or its name would not be free; whoever has the name now has taken its place.
    await trx.deleteFrom("workers").where("name", "=", name).execute();
    await trx
      .insertInto("workers")
      .values({
        id,
        name,
        version,
        media,
        pid,
        concurrency,
        can_drain: canDrain,
        speed: null,
        disk: null,
      })
      .execute();
    return name;
  });
}

/** `former` if it is a name of the host that nobody else has taken, else the first one that is free. */
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
