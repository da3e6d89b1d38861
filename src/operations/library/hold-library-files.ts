import type { Transaction } from "kysely";
import { parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Locks linked library files, so that a concurrent delete sees the job. Returns their ids; omits deleted files, whose
 * videos fail later.
 */
export async function holdLibraryFiles(trx: Transaction<Tables>, links: readonly (string | null)[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of new Set(links)) {
    const link = text === null ? null : parseLink(text);
    if (link?.host === "library") ids.add(link.id);
  }
  if (ids.size === 0) return [];
  const files = await trx
    .selectFrom("library_files")
    .select("id")
    .where("id", "in", [...ids])
    // A fixed order prevents deadlocks.
    .orderBy("id")
    .forShare()
    .execute();
  return files.map(({ id }) => id);
}

export async function recordLibraryUses(
  trx: Transaction<Tables>,
  jobId: string,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return;
  await trx
    .insertInto("library_uses")
    .values(fileIds.map((file_id) => ({ file_id, job_id: jobId })))
    .execute();
}
