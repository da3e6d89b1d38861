import { sql } from "kysely";
import type { Context } from "../context.ts";

/** In Unix milliseconds, by the clock that all programs share. */
export async function readDatabaseTime({ db }: Pick<Context, "db">): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]!.ms;
}
