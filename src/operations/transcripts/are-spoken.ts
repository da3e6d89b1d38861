import type { Kysely } from "kysely";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import type { Tables } from "#database/tables.ts";

/** Returns whether each text consists of words of one line, in order, of a transcript that the video uses. */
export async function areSpoken(db: Kysely<Tables>, videoId: string, texts: readonly string[]): Promise<boolean> {
  const rows = await db
    .selectFrom("transcript_uses")
    .innerJoin("transcripts", "transcripts.id", "transcript_uses.transcript_id")
    .select("lines")
    .where("video_id", "=", videoId)
    .execute();
  const lines = rows.flatMap((row) => row.lines);
  const whole = new Set(lines.map(({ words }) => words.map(({ text }) => text).join("")));
  return texts.every((text) => whole.has(text) || lines.some((line) => hasWords(line, text)));
}

/** Hidden words, and those that are cut out, are missing in the text. */
function hasWords({ words }: TranscriptLine, text: string): boolean {
  const reached = new Set([0]);
  for (const { text: word } of words) {
    for (const at of [...reached]) {
      if (text.startsWith(word, at)) reached.add(at + word.length);
      const last = word.trimEnd();
      if (at + last.length === text.length && text.endsWith(last)) return true;
    }
  }
  return false;
}
