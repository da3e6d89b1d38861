import { sql } from "kysely";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import { readSubRip } from "#media/subtitles/formats/cue-files.ts";
import { textOf } from "#media/subtitles/transcript.ts";
import { writeWebVtt } from "#media/subtitles/write-subtitles.ts";
import type { Context } from "../../context.ts";

export const SUBTITLE_FORMATS = ["srt", "vtt"] as const;
export type SubtitleFormat = (typeof SUBTITLE_FORMATS)[number];

/** In queries of `job_outputs`: its subtitles as SubRip; null without any. Outputs that share a file share them. */
export const OUTPUT_SRT = sql<string | null>`(
  select srt from output_subtitles
  where output_subtitles.job_id = job_outputs.job_id and output_subtitles.content_key = job_outputs.content_key
    and job_outputs.storage_key is not null
)`;

/** In queries of `job_outputs`. */
export const HAS_SUBTITLES = sql<boolean>`${OUTPUT_SRT} is not null`;

/** Write them before the file is recorded. Idempotent. */
export async function recordSubtitles(
  { db }: Pick<Context, "db">,
  jobId: string,
  contentKey: string,
  srt: string,
): Promise<void> {
  await db
    .insertInto("output_subtitles")
    .values({ job_id: jobId, content_key: contentKey, srt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Throws ClipmillError "not_found". */
export async function readOutputSubtitles(
  { db }: Pick<Context, "db">,
  outputId: string,
): Promise<{ name: string; srt: string }> {
  const output = await db
    .selectFrom("job_outputs")
    .select(["name", OUTPUT_SRT.as("srt")])
    .where("id", "=", outputId)
    .executeTakeFirst();
  if (!output?.srt) throw new ClipmillError("not_found", "This file has no subtitles.");
  return { name: output.name, srt: output.srt };
}

/** Of the subtitles of a file with that name. */
export function subtitleName(name: string, format: SubtitleFormat): string {
  return `${nameWithoutExtension(name)}.${format}`;
}

/** `srt` is that of an output. */
export function subtitleFile(srt: string, format: SubtitleFormat): Buffer {
  if (format === "srt") return Buffer.from(srt);
  const lines = readSubRip(srt.split("\n")).map(({ startSeconds, endSeconds, words }) => {
    // The times of words are not those of speech.
    return { startSeconds, endSeconds, words: [{ text: textOf(words), startSeconds, endSeconds }] };
  });
  return Buffer.from(writeWebVtt(lines));
}
