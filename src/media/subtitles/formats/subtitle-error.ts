import { ClipmillError } from "#contract/errors.ts";
import { TRANSCRIPT_LIMITS } from "#contract/transcripts/transcripts.ts";
import type { Transcript } from "../transcript.ts";

/** `problem` continues the file's name: "has no subtitles". */
export function subtitleError(problem: string): ClipmillError {
  return new ClipmillError("bad_subtitles", problem);
}

const {
  lines: MOST_LINES,
  words: MOST_WORDS,
  wordCharacters: MOST_CHARACTERS,
  seconds: MOST_SECONDS,
} = TRANSCRIPT_LIMITS;

/** Throws ClipmillError "bad_subtitles". */
export function requireReasonable(lines: Transcript): void {
  const words = lines.flatMap((line) => line.words);
  if (lines.length > MOST_LINES) throw subtitleError(`has more than ${MOST_LINES.toLocaleString("en")} subtitles`);
  if (words.length > MOST_WORDS) throw subtitleError(`has more than ${MOST_WORDS.toLocaleString("en")} words`);
  if (words.some(({ text }) => text.length > MOST_CHARACTERS))
    throw subtitleError(`has a word of more than ${MOST_CHARACTERS} letters`);
  const isLate = ({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }) =>
    Math.max(startSeconds, endSeconds) > MOST_SECONDS;
  if (lines.some(isLate) || words.some(isLate))
    throw subtitleError(`has times after ${MOST_SECONDS.toLocaleString("en")} seconds`);
}
