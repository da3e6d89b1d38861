import { ClipmillError } from "#contract/errors.ts";
import type { Transcript } from "../transcript.ts";

/** `problem` continues the file's name: "has no subtitles". */
export function subtitleError(problem: string): ClipmillError {
  return new ClipmillError("bad_subtitles", problem);
}

/** Hours of speech have fewer. More would take minutes to measure and to plan. */
const MOST_LINES = 20_000;
const MOST_WORDS = 50_000;
const MOST_CHARACTERS = 200;

/** Throws ClipmillError "bad_subtitles". */
export function requireReasonable(lines: Transcript): void {
  const words = lines.flatMap((line) => line.words);
  if (lines.length > MOST_LINES) throw subtitleError(`has more than ${MOST_LINES.toLocaleString("en")} subtitles`);
  if (words.length > MOST_WORDS) throw subtitleError(`has more than ${MOST_WORDS.toLocaleString("en")} words`);
  if (words.some(({ text }) => text.length > MOST_CHARACTERS))
    throw subtitleError(`has a word of more than ${MOST_CHARACTERS} letters`);
}
