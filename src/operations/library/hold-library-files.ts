import type { Transaction } from "kysely";
import { parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Locks linked library files for the transaction, so that a concurrent delete sees the job that needs them. Ignores
 * deleted files: their videos fail later.
 */
export async function holdLibraryFiles(trx: Transaction<Tables>, links: readonly (string | null)[]): Promise<void> {
  const ids = new Set(
    links.flatMap((text) => {
      const link = text === null ? null : parseLink(text);
      return link?.host === "library" ? [link.id] : [];
    }),
  );
  if (ids.size === 0) return;
  // A fixed order prevents deadlocks.
  await trx
    .selectFrom("library_files")
    .select("id")
    .where("id", "in", [...ids])
    .orderBy("id")
    .forShare()
    .execute();
}
