import { z } from "zod";

const MAX_TRANSCRIPT_NAMES = 500;
const MAX_CHARACTERS = 100;

const text = z.string().trim().max(MAX_CHARACTERS, `A name can have at most ${MAX_CHARACTERS} characters.`);

/**
 * How names are spelled in transcripts. `from` is a common misspelling; without it, only the spelling of `to`
 * is corrected.
 */
export const transcriptNamesSchema = z
  .array(z.object({ from: text.optional().transform((from) => from || undefined), to: text.min(1, "Enter the name.") }))
  .max(MAX_TRANSCRIPT_NAMES, `A workspace can have at most ${MAX_TRANSCRIPT_NAMES} names.`);

export type TranscriptName = { from?: string | undefined; to: string };
