import { sql } from "kysely";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import { settingsOfVideo, subtitleLanguageOf } from "#contract/jobs/video-settings.ts";
import { readSubRip } from "#media/subtitles/formats/cue-files.ts";
import { textOf } from "#media/subtitles/transcript.ts";
import { writeWebVtt } from "#media/subtitles/write-subtitles.ts";
import type { Context } from "../../context.ts";
import { withSettings } from "../read/stored-settings.ts";

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
): Promise<{ name: string; srt: string; language: string | null }> {
  const output = await db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .innerJoin("jobs", "jobs.id", "job_outputs.job_id")
    .select(["job_outputs.name", "job_outputs.variant", "job_videos.row_settings", "jobs.settings"])
    .select(OUTPUT_SRT.as("srt"))
    .where("job_outputs.id", "=", outputId)
    .executeTakeFirst();
  if (!output?.srt) throw new ClipmillError("not_found", "This file has no subtitles.");
  const { name, srt, variant, row_settings: row, ...job } = output;
  return { name, srt, language: subtitleLanguageOf(settingsOfVideo(withSettings(job), row), variant) };
}

/** Of the subtitles of a file with that name. Players read the language, if they were translated, from `name.de.srt`. */
export function subtitleName(name: string, format: SubtitleFormat, language: string | null): string {
  return `${nameWithoutExtension(name)}.${language === null ? "" : `${language}.`}${format}`;
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
