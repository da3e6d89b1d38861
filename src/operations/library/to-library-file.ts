import { type Kysely, type Selectable, sql } from "kysely";
import type { LibraryFile } from "#contract/calls.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { LibraryFilesTable, Tables } from "#database/tables.ts";
import type { LinkSigner } from "../downloads/link-signer.ts";

type LibraryRow = Pick<
  Selectable<LibraryFilesTable>,
  "id" | "name" | "kind" | "duration_seconds" | "size_bytes" | "is_sample"
> & { has_thumbnail: boolean };

/** Selects stored files for `toLibraryFile`. */
export function selectLibraryFiles(db: Kysely<Tables>) {
  return db
    .selectFrom("library_files")
    .select(["id", "name", "kind", "duration_seconds", "size_bytes", "is_sample"])
    .select(
      sql<boolean>`exists (select from library_thumbnails where file_id = id and picture is not null)`.as(
        "has_thumbnail",
      ),
    )
    .where("stored_at", "is not", null);
}

/** Returns a file in wire format. */
export function toLibraryFile(row: LibraryRow, links: LinkSigner): LibraryFile {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    link: libraryLink(row.id),
    durationSeconds: row.duration_seconds,
    sizeBytes: row.size_bytes,
    isSample: row.is_sample,
    thumbnailUrl: row.has_thumbnail ? links.sign(`/downloads/library-thumbnails/${row.id}`) : null,
    mediaUrl: links.sign(`/downloads/library/${row.id}`),
  };
}
