import { sql } from "kysely";
import type { Context } from "../../context.ts";

/** In milliseconds, at each video's speed since its start. Videos without progress are absent. */
export async function estimateRemaining(
  context: Pick<Context, "db">,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await context.db
    .selectFrom("job_videos")
    .select("id")
    .select(
      sql<number>`extract(epoch from now() - started_at)::float8 * 1000 * (100 - progress) / progress`.as(
        "remainingMs",
      ),
    )
    .where("id", "=", sql<string>`any(${videoIds}::uuid[])`)
    .where("progress", ">", 0)
    .execute();
  return new Map(rows.map(({ id, remainingMs }) => [id, remainingMs]));
}
