import { sql } from "kysely";
import type { Context } from "../../context.ts";

/**
 * True for the name and size of a file that Clipmill delivers anywhere: otherwise, each result in a watched folder
 * would become a job, endlessly.
 */
export async function isDelivered(
  { db }: Pick<Context, "db">,
  { name, size_bytes: bytes }: { name: string; size_bytes: number | null },
): Promise<boolean> {
  const delivered = await db
    .selectFrom("delivery_files")
    .innerJoin("job_outputs", "job_outputs.id", "delivery_files.output_id")
    .select("delivery_files.id")
    .where("job_outputs.size_bytes", "=", bytes)
    .where(sql<string>`regexp_replace(delivery_files.target_path, '^.*/', '')`, "=", name)
    .limit(1)
    .executeTakeFirst();
  return delivered !== undefined;
}
