import type { Transaction } from "kysely";
import { parseAudioLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Keeps the library's files that links name from being deleted until the transaction ends: a delete at the same moment then sees
 * the job that needs them. Links to files that are gone already are left to their videos.
 */
export async function holdLibraryFiles(trx: Transaction<Tables>, links: readonly string[]): Promise<void> {
  const ids = new Set(
    links.flatMap((text) => {
      const link = parseAudioLink(text);
      return link?.host === "library" ? [link.id] : [];
    }),
  );
  if (ids.size === 0) return;
  // In one order for all, so that no two wait for each other.
  await trx
    .selectFrom("library_files")
    .select("id")
    .where("id", "in", [...ids])
    .orderBy("id")
    .forShare()
    .execute();
}
