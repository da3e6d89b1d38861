import { z } from "zod";
import type { LibraryFile } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { cleanTags, LIBRARY_LIMITS } from "#contract/library.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
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
