import { sql } from "kysely";
import type { Context } from "../context.ts";

/** Returns the database's time, shared by all programs, in ms since 1970. */
export async function readDatabaseTime({ db }: Pick<Context, "db">): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]!.ms;
}
