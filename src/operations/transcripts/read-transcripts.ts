import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type {
  ExportedTranscript,
  exportTranscriptSchema,
  listTranscriptsSchema,
  Transcript,
  TranscriptsResponse,
  WholeTranscript,
} from "#contract/transcripts/transcripts.ts";
import type { Tables } from "#database/tables.ts";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { writeTranscript } from "#media/subtitles/write-subtitles.ts";
import type { Context } from "../context.ts";

const LISTED_VIDEOS = 20;

const VIDEOS = sql<Transcript["videos"]>`(
  select coalesce(json_agg(used), '[]') from (
    select distinct on (job_videos.created_at, job_videos.id) jobs.id as job_id, job_name, job_videos.id as video_id,
      job_videos.position, job_videos.name
    from transcript_uses join job_videos on job_videos.id = video_id join jobs on jobs.id = job_id
    where transcript_id = transcripts.id order by job_videos.created_at desc, job_videos.id limit ${LISTED_VIDEOS}
  ) as used
)`;

function selectTranscripts(db: Kysely<Tables>) {
  return db
    .selectFrom("transcripts")
    .select(["id", "name", "status", "progress", "error_message", "origin", "revision", "edited_at"])
    .select(["duration_seconds", "created_at", "updated_at"])
    .select([
      sql<string | null>`coalesce(nullif(language, ''), spoken_language)`.as("language"),
      sql<number>`jsonb_array_length(lines)`.as("line_count"),
      VIDEOS.as("videos"),
    ]);
}

/** Newest first. */
export async function listTranscripts(
  { db }: Pick<Context, "db">,
  { job_id: jobId, video_id: videoId, page, limit }: z.output<typeof listTranscriptsSchema>,
): Promise<TranscriptsResponse> {
  const isMeant = sql<boolean>`(${jobId ?? null}::uuid is null or id in (
      select transcript_id from transcript_uses join job_videos on job_videos.id = video_id where job_id = ${jobId ?? null}))
    and (${videoId ?? null}::uuid is null or id in (
      select transcript_id from transcript_uses where video_id = ${videoId ?? null}))`;
  const data = await selectTranscripts(db)
    .where(isMeant)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await db
    .selectFrom("transcripts")
    .select(sql<number>`count(*)::int`.as("total"))
    .where(isMeant)
    .executeTakeFirstOrThrow();
  return { data, total };
}

/** Throws ClipmillError "not_found". */
export async function readTranscript(
  { db, links }: Pick<Context, "db" | "links">,
  id: string,
): Promise<WholeTranscript> {
  const found = await selectTranscripts(db).select("lines").where("id", "=", id).executeTakeFirst();
  if (!found) throw transcriptGone();
  return { ...found, media_url: links.sign(`/downloads/transcripts/${id}`) };
}

/** Throws ClipmillError "not_found", or "conflict" before it is completed. */
export async function exportTranscript(
  { db }: Pick<Context, "db">,
  { id, format }: z.output<typeof exportTranscriptSchema>,
): Promise<ExportedTranscript> {
  const found = await db
    .selectFrom("transcripts")
    .select(["name", "status", "lines"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!found) throw transcriptGone();
  if (found.status !== "Completed") throw new ClipmillError("conflict", "This transcript is not finished yet.");
  return { name: `${nameWithoutExtension(found.name)}.${format}`, text: writeTranscript(found.lines, format) };
}

export function transcriptGone(): ClipmillError {
  return new ClipmillError("not_found", "This transcript no longer exists.");
}
