import { z } from "zod";
import type { HeldFile, LibraryFile } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { jobTitle } from "#contract/jobs/jobs.ts";
import { cleanTags, LIBRARY_LIMITS } from "#contract/library.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { deleteScheduledFiles, SECONDS_OF_REQUEST } from "../jobs/delete-jobs.ts";
import { findHeldFiles } from "./library-uses.ts";
import { selectLibraryFiles, toLibraryFile } from "./to-library-file.ts";

const NO_NAME = "Enter a name for the file.";
const LONG_NAME = "The name of a file can have at most 200 characters.";
const STRANGE_NAME = "The name contains characters that cannot be displayed.";
const STRANGE_TAG = "A tag contains characters that cannot be displayed.";
const TAGS_EXPECTED = "Tags must be a list of strings.";
const LONG_TAG = "A tag can have at most 40 characters.";
const MANY_TAGS = "A file can have at most 20 tags.";
const NO_CHANGE = "Enter a name or tags to change.";
const GONE = "This file is no longer in the library.";

/** Control characters, line separators and bidirectional overrides, which make a name look like another. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

export const changeLibraryFileSchema = z
  .object({
    id: z.string({ error: "The file ID is missing or not valid." }),
    name: z
      .string({ error: NO_NAME })
      .trim()
      .min(1, NO_NAME)
      .max(LIBRARY_LIMITS.nameCharacters, LONG_NAME)
      .refine((name) => !UNPRINTABLE.test(name), STRANGE_NAME)
      .optional(),
    tags: z
      .array(z.string({ error: TAGS_EXPECTED }), { error: TAGS_EXPECTED })
      .transform(cleanTags)
      .refine((tags) => tags.length <= LIBRARY_LIMITS.tags, MANY_TAGS)
      .refine((tags) => tags.every((tag) => tag.length <= LIBRARY_LIMITS.tagCharacters), LONG_TAG)
      .refine((tags) => !tags.some((tag) => UNPRINTABLE.test(tag)), STRANGE_TAG)
      .optional(),
  })
  .refine(({ name, tags }) => name !== undefined || tags !== undefined, NO_CHANGE);

/** Throws ClipmillError "not_found". */
export async function changeLibraryFile(
  context: Pick<Context, "db" | "links"> & ActorContext,
  { id, name, tags }: z.output<typeof changeLibraryFileSchema>,
): Promise<LibraryFile> {
  return context.db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable("library_files")
      .set({ ...(name !== undefined && { name }), ...(tags !== undefined && { tags }) })
      .where("id", "=", id)
      .where("stored_at", "is not", null)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw new ClipmillError("not_found", GONE);
    if (name !== undefined) await writeAudit(trx, context.actor, { action: "library.rename", subjects: [id] });
    if (tags !== undefined) await writeAudit(trx, context.actor, { action: "library.tag", subjects: [id] });
    const row = await selectLibraryFiles(trx).where("library_files.id", "=", id).executeTakeFirstOrThrow();
    return toLibraryFile(row, context.links);
  });
}

const TOO_MANY = "At most 1,000 files can be deleted at once.";

export const deleteLibraryFileSchema = z.object({ id: z.string({ error: "The file ID is missing or not valid." }) });
export const deleteLibraryFilesSchema = z.object({
  ids: z
    .array(z.string(), { error: "The file IDs are missing or not valid." })
    .min(1, "Select at least one file.")
    .max(LIBRARY_LIMITS.filesDeletedAtOnce, TOO_MANY),
});

const STILL_LOOKED_AT = "Caption Lab is still using this file. Cancel the captions or wait until they are done.";
const NAMES_LISTED = 3;

type DeleteContext = Pick<Context, "db" | "storage"> & ActorContext;

/**
 * A missing file counts as deleted. Throws ClipmillError "conflict" while an unfinished job, caption batch, preset,
 * brand kit or audio set uses it.
 */
export async function deleteLibraryFile(context: DeleteContext, id: string): Promise<void> {
  const [held] = await deleteLibraryFiles(context, [id]);
  if (held) throw new ClipmillError("conflict", explainHeld(held), { facts: { jobId: held.jobs[0]?.id } });
}

/** Returns the files that something needs, which stay. Missing files count as deleted. */
export async function deleteLibraryFiles(context: DeleteContext, ids: readonly string[]): Promise<HeldFile[]> {
  const held = await context.db.transaction().execute(async (trx) => {
    const files = await trx
      .selectFrom("library_files")
      .select(["id", "name", "storage_key"])
      .where("id", "in", [...ids])
      // A fixed order prevents deadlocks.
      .orderBy("id")
      .forUpdate()
      .execute();
    const kept = await findHeldFiles(trx, files);
    const keptIds = new Set(kept.map(({ id }) => id));
    const free = files.filter(({ id }) => !keptIds.has(id));
    if (free.length === 0) return kept;
    const freeIds = free.map(({ id }) => id);
    await writeAudit(trx, context.actor, { action: "library.delete", subjects: freeIds });
    await trx.deleteFrom("library_files").where("id", "in", freeIds).execute();
    await trx
      .insertInto("pending_file_deletions")
      .values(free.map((file) => ({ prefix: file.storage_key })))
      .execute();
    return kept;
  });
  await deleteScheduledFiles(context, { mostSeconds: SECONDS_OF_REQUEST });
  return held;
}

function explainHeld({ jobs, jobCount, savedIn }: HeldFile): string {
  if (jobCount === 0 && savedIn.length > 0) {
    const [{ kind, name }, ...others] = savedIn as [HeldFile["savedIn"][number], ...HeldFile["savedIn"]];
    const more = others.length > 0 ? ` and ${others.length} more need` : " needs";
    return `The ${kind} "${name}"${more} this file. Remove it there first.`;
  }
  if (jobCount === 0) return STILL_LOOKED_AT;
  const names = jobs.slice(0, NAMES_LISTED).map(jobTitle);
  if (jobCount > names.length) names.push(`and ${jobCount - names.length} more`);
  return jobCount === 1
    ? `A running or waiting job needs this file: ${names[0]}. Cancel the job or wait until it ends.`
    : `${jobCount} running or waiting jobs need this file: ${names.join(", ")}. Cancel the jobs or wait until they end.`;
}
