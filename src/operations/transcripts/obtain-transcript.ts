import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import type { Tables, TranscriptsTable } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { NOT_WAITING } from "../hosts/find-cooldown.ts";
import { correctNames } from "./correct-names.ts";
import { readTranscriptNames } from "./transcript-names.ts";

/** A clip of a video by number, and the file that its transcript comes from. */
export type ClipTranscript = {
  clip: number;
  /** SHA-256 of the source or of its subtitle file. */
  content: string;
  name: string;
  link: string;
  durationSeconds: number;
};

export type TranscriptUse = ClipTranscript & { jobId: string; videoId: string };

const READ = ["id", "status", "request", "attempts", "error_message", "lines", "spoken_language as language"] as const;

type Row = Pick<Selectable<TranscriptsTable>, "id" | "status" | "request" | "attempts" | "error_message" | "lines"> &
  Pick<ObtainedTranscript, "language">;

/** `language` is a BCP 47 tag; null if it is not known. */
export type ObtainedTranscript = { lines: TranscriptLine[]; language: string | null };

/**
 * Returns a source's transcript, as corrected. Without one, requests it and returns null: the video waits.
 * Throws ClipmillError "not_transcribed" once for each request that failed, so that a retry requests another one.
 */
export async function obtainTranscript(
  context: Pick<Context, "db" | "queue">,
  use: TranscriptUse,
): Promise<ObtainedTranscript | null> {
  const { row, hasFailed } = await context.db.transaction().execute(async (trx) => {
    const isNew = await addRow(trx, use, {});
    const row = await lockRow(trx, use);
    const known = await trx
      .selectFrom("transcript_uses")
      .select("request")
      .where("video_id", "=", use.videoId)
      .where("clip", "=", use.clip)
      .where("transcript_id", "=", row.id)
      .executeTakeFirst();
    const hasFailed = row.status === "Failed" && known?.request === row.request;
    if (isNew) await context.queue.transcripts.enqueue(trx, [{ taskId: row.id, jobId: use.jobId }]);
    const isAgain = !hasFailed && (row.status === "Failed" || row.status === "Cancelled");
    const request = isAgain && (await requestAgain(context, trx, row, use)) ? row.request + 1 : row.request;
    await keepUse(trx, use, { id: row.id, request: hasFailed ? 0 : request });
    return { row, hasFailed };
  });
  if (hasFailed) throw new ClipmillError("not_transcribed", row.error_message ?? "The speech was not transcribed.");
  return row.status === "Completed" ? toObtained(row) : null;
}

/**
 * Returns a subtitle file's transcript, with corrected lines if there are any, or else `read`. Throws ClipmillError
 * "unavailable" if the transcript was deleted just now, so that a retry reads the file.
 */
export async function keepFileTranscript(
  context: Pick<Context, "db">,
  use: TranscriptUse,
  read: () => Promise<readonly TranscriptLine[]>,
): Promise<ObtainedTranscript> {
  const isKnown = (await rowOf(context.db, use).select("id").executeTakeFirst()) !== undefined;
  const lines = isKnown ? null : correctNames(await read(), await readTranscriptNames(context));
  return await context.db.transaction().execute(async (trx) => {
    const completed = { status: "Completed", progress: 100, origin: "file" } as const;
    if (lines) await addRow(trx, use, { ...completed, lines: JSON.stringify(lines) });
    const row = await lockRow(trx, use);
    await keepUse(trx, use, row);
    return toObtained(row);
  });
}

/** Without the row's other columns, which workers by token must not get. */
function toObtained({ lines, language }: Row): ObtainedTranscript {
  return { lines, language };
}

/** False if there was one. */
async function addRow(
  trx: Transaction<Tables>,
  { content, name, link, durationSeconds }: TranscriptUse,
  values: { status?: "Completed"; progress?: number; origin?: "file"; lines?: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("transcripts")
    .values({ content, name, link, duration_seconds: durationSeconds, ...values })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function rowOf(db: Kysely<Tables>, { content }: TranscriptUse) {
  return db.selectFrom("transcripts").where("content", "=", content).where("language", "=", "");
}

/** Throws ClipmillError "unavailable" if it was deleted just now: the next attempt makes another one. */
async function lockRow(trx: Transaction<Tables>, use: TranscriptUse): Promise<Row> {
  const row = await rowOf(trx, use).select(READ).forUpdate().executeTakeFirst();
  if (!row) throw new ClipmillError("unavailable", "The transcript was deleted. Retry the video.");
  return row;
}

/** Fetches the source by the new use's link: the last one may be what failed. False while its last attempt is stopping. */
async function requestAgain(
  { queue }: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { id, attempts, request }: Row,
  { jobId, link, name, durationSeconds }: TranscriptUse,
): Promise<boolean> {
  const forgotten = await queue.transcripts.forget(trx, [id]);
  if (!forgotten) return false;
  await trx
    .updateTable("transcripts")
    .set({ ...NOT_WAITING, status: "Queued", request: request + 1, error_message: null, updated_at: sql`now()` })
    .set({ link, name, duration_seconds: durationSeconds })
    .where("id", "=", id)
    .execute();
  await queue.transcripts.enqueue(trx, [{ taskId: id, jobId, attemptsBefore: attempts }], { after: forgotten });
  return true;
}

async function keepUse(
  trx: Transaction<Tables>,
  { videoId, clip }: TranscriptUse,
  { id, request }: Pick<Row, "id" | "request">,
): Promise<void> {
  await trx
    .insertInto("transcript_uses")
    .values({ video_id: videoId, clip, transcript_id: id, request })
    .onConflict((row) => row.columns(["video_id", "clip"]).doUpdateSet({ transcript_id: id, request }))
    .execute();
}
