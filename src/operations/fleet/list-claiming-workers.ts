import { sql } from "kysely";
import type { Context } from "../context.ts";
import { isLost } from "./worker-age.ts";

/** Returns the ids of the live workers that take videos, in order. */
export async function listClaimingWorkers(context: Pick<Context, "db">): Promise<string[]> {
  const rows = await context.db
    .selectFrom("workers")
    .select("id")
    .where((where) => where.not(isLost))
    .where(sql<boolean>`pause_reasons = '{}'`)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
