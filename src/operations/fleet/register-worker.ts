import { sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Kysely } from "kysely";
import type { WorkerMedia } from "#contract/settings/system.ts";
import type { Context } from "../context.ts";
import { isLost, isOld } from "./worker-age.ts";

export type WorkerStart = {
  /** Unique per process. */
  id: string;
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
  const { id, host, version, media, pid, concurrency, canDrain, labels } = start;
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
