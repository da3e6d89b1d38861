import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import type { Tables } from "#database/tables.ts";

/** Stores a completed transcript of a minute, and returns its id. */
export async function addTranscript(
  db: Kysely<Tables>,
  {
    lines = [],
    videoId,
    name = "talk.mp4",
    link = "https://drive.google.com/file/d/abc/view",
  }: { lines?: readonly TranscriptLine[]; videoId?: string; name?: string; link?: string } = {},
): Promise<string> {
  const values = { content: randomUUID(), name, link, duration_seconds: 60, spoken_language: "en" };
  const { id } = await db
    .insertInto("transcripts")
    .values({ ...values, origin: "server", status: "Completed", progress: 100, lines: JSON.stringify(lines) })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (videoId !== undefined) {
    await db
      .insertInto("transcript_uses")
      .values({ video_id: videoId, clip: 0, transcript_id: id, request: 1 })
      .execute();
  }
  return id;
}
