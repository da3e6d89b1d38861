import { sql } from "kysely";
import { writeTranscript } from "#media/subtitles/write-subtitles.ts";
import type { Context } from "../context.ts";

/** Returns what is said in a source, as corrected. Null without a completed transcript. */
export async function readSpokenText({ db }: Pick<Context, "db">, content: string): Promise<string | null> {
  const found = await db
    .selectFrom("transcripts")
    .select("lines")
    .where("content", "=", content)
    .where("language", "=", "")
    .where("status", "=", "Completed")
    .executeTakeFirst();
  return found ? writeTranscript(found.lines, "txt") : null;
}

/** Returns what is said in the videos behind these links, as far as they have transcripts: at most `count` of them. */
export async function listSpokenTexts(
  { db }: Pick<Context, "db">,
  links: readonly string[],
  count: number,
): Promise<{ name: string; text: string }[]> {
  if (links.length === 0) return [];
  const found = await db
    .selectFrom("transcripts")
    .distinctOn("link")
    .select(["link", "name", "lines"])
    .where("link", "=", sql<string>`any(${links}::text[])`)
    .where("status", "=", "Completed")
    .orderBy("link")
    .orderBy("created_at", "desc")
    .limit(count)
    .execute();
  return found.map(({ name, lines }) => ({ name, text: writeTranscript(lines, "txt") }));
}
