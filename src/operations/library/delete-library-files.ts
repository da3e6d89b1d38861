import { z } from "zod";
import type { HeldFile } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { jobTitle } from "#contract/jobs/jobs.ts";
import { LIBRARY_LIMITS } from "#contract/library.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { deleteScheduledFiles, SECONDS_OF_REQUEST } from "../jobs/delete-scheduled-files.ts";
import { findHeldFiles } from "./library-uses.ts";

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
      .insertInto("doomed_files")
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
