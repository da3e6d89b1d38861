import { ClipmillError } from "#contract/errors.ts";

/** `problem` continues the file's name: "has no subtitles". */
export function subtitleError(problem: string): ClipmillError {
  return new ClipmillError("bad_subtitles", problem);
}

/** More than a day of speech has. */
const MOST_LINES = 20_000;
const MOST_WORDS = 100_000;

export function requireFewer(lines: number, words: number): void {
  if (lines > MOST_LINES) throw subtitleError(`has more than ${MOST_LINES.toLocaleString("en")} subtitles`);
  if (words > MOST_WORDS) throw subtitleError(`has more than ${MOST_WORDS.toLocaleString("en")} words`);
}
