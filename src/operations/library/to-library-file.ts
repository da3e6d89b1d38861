import { type Kysely, type Selectable, sql } from "kysely";
import type { LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { LibraryFilesTable, Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import type { LinkSigner } from "../downloads/link-signer.ts";
import { SAMPLES_ADDED } from "./add-samples.ts";
import { SAVED_USES, UNFINISHED_JOB } from "./library-uses.ts";

type LibraryRow = Pick<
  Selectable<LibraryFilesTable>,
  "id" | "name" | "kind" | "duration_seconds" | "size_bytes" | "digest" | "is_sample" | "tags" | "created_at"
> & { has_thumbnail: boolean; jobs: number; unfinished_jobs: number; saved_in: number; is_in_caption_lab: boolean };

/** Counts uses once for all files, not per file. */
export function selectLibraryFiles(db: Kysely<Tables>) {
  return db
    .selectFrom("library_files")
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("library_uses")
          .select(["file_id", sql<number>`count(*)::int`.as("jobs")])
          .groupBy("file_id")
          .as("uses"),
      (join) => join.onRef("uses.file_id", "=", "library_files.id"),
    )
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("library_uses")
          .innerJoin("jobs", "jobs.id", "job_id")
          .select(["file_id", sql<number>`count(*)::int`.as("jobs")])
          .where(UNFINISHED_JOB)
          .groupBy("file_id")
          .as("unfinished"),
      (join) => join.onRef("unfinished.file_id", "=", "library_files.id"),
    )
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("caption_tasks")
          .select(sql<string | null>`substring(link from '/file/d/([A-Za-z0-9_-]+)')`.as("file_id"))
          .distinct()
          .where("status", "in", ["Queued", "Processing"])
          .as("captions"),
      (join) => join.onRef("captions.file_id", "=", "library_files.id"),
    )
    .leftJoin(
      (eb) =>
        eb
          .selectFrom(sql<{ file_id: string }>`${SAVED_USES}`.as("saved"))
          .select(["file_id", sql<number>`count(*)::int`.as("uses")])
          .groupBy("file_id")
          .as("saved"),
      (join) => join.onRef("saved.file_id", "=", "library_files.id"),
    )
    .select([
      "library_files.id",
      "name",
      "kind",
      "duration_seconds",
      "size_bytes",
      "digest",
      "is_sample",
      "tags",
      "library_files.created_at",
      sql<number>`coalesce(uses.jobs, 0)`.as("jobs"),
      sql<number>`coalesce(unfinished.jobs, 0)`.as("unfinished_jobs"),
      sql<number>`coalesce(saved.uses, 0)`.as("saved_in"),
      sql<boolean>`captions.file_id is not null`.as("is_in_caption_lab"),
      sql<boolean>`exists (
        select from library_thumbnails where file_id = library_files.id and picture is not null
      )`.as("has_thumbnail"),
    ])
    .where("stored_at", "is not", null);
}

export function toLibraryFile(row: LibraryRow, links: LinkSigner): LibraryFile {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    link: libraryLink(row.id),
    durationSeconds: row.duration_seconds,
    sizeBytes: row.size_bytes,
    sha256: row.digest,
    isSample: row.is_sample,
    thumbnailUrl: row.has_thumbnail ? links.sign(`/downloads/library-thumbnails/${row.id}`) : null,
    mediaUrl: links.sign(`/downloads/library/${row.id}`),
    tags: row.tags,
    createdAt: row.created_at,
    usage: {
      jobs: row.jobs,
      unfinishedJobs: row.unfinished_jobs,
      savedIn: row.saved_in,
      isInCaptionLab: row.is_in_caption_lab,
    },
  };
}

/** Oldest first; omits incompletely stored files. `isReady` is false until the samples are added. */
export async function listLibrary(context: Pick<Context, "db" | "links">): Promise<LibraryResponse> {
  const rows = await selectLibraryFiles(context.db).orderBy("library_files.created_at").orderBy("name").execute();
  const added = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_ADDED)
    .executeTakeFirst();
  return { data: rows.map((row) => toLibraryFile(row, context.links)), isReady: added !== undefined };
}
