import type { Selectable } from "kysely";
import type { LibraryFile } from "#contract/calls.ts";
import { libraryLink } from "#contract/links.ts";
import type { LibraryFilesTable } from "#database/tables.ts";

/** A row of the library as it goes over the wire. */
export function toLibraryFile(row: Selectable<LibraryFilesTable>): LibraryFile {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    link: libraryLink(row.id),
    durationSeconds: row.duration_seconds,
    sizeBytes: row.size_bytes,
    isSample: row.is_sample,
  };
}
