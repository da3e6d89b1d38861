import { sql, type Transaction } from "kysely";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { Tables } from "#database/tables.ts";

const PREFIX = libraryLink("");

/** True if the library copy of a watched file was deleted. */
export const isCopyDeleted = sql<boolean>`(starts_with(link, ${PREFIX}) and not exists (
  select from library_files where library_files.id = substr(link, ${PREFIX.length + 1}::int)))`;

/** Waiting files are copied again. */
export async function forgetDeletedCopies(trx: Transaction<Tables>, folderId: string): Promise<void> {
  await trx
    .updateTable("watch_files")
    .set({ link: null })
    .where("folder_id", "=", folderId)
    .where("state", "=", "seen")
    .where(isCopyDeleted)
    .execute();
}
