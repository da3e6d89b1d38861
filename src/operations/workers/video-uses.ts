/** What a video's settings name. A worker without the database may use nothing else. */
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { filesOfVideo, hasTranscript, languagesOf, segmentationOf } from "#contract/jobs/video-settings.ts";
import { type HostName, hostOfLink } from "#contract/sources/cooldowns.ts";
import { linkKey, parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";
import { withSettings } from "../jobs/read/stored-settings.ts";
import type { PlannedOutput } from "../jobs/create/plan-outputs.ts";
import { type ClaimedVideo, selectJobOfVideo, settingsForVideo } from "../jobs/videos/claim-video.ts";
import { clipsOf } from "../jobs/videos/clips-of-video.ts";
import { areSpoken } from "../transcripts/are-spoken.ts";
import type { TextsToTranslate } from "../translations/translate-texts.ts";
import type { ClipTranscript } from "../transcripts/obtain-transcript.ts";
import type { TokenTask } from "./token-claims.ts";

const NOT_YOURS = "This worker may not use that: it belongs to none of its videos.";

export function forbidden(): ClipmillError {
  return new ClipmillError("forbidden", NOT_YOURS);
}

/** The video with its settings; null if it was deleted. */
export async function readVideo(db: Kysely<Tables>, { jobId, videoId }: TokenTask) {
  const video = await db.selectFrom("job_videos").selectAll().where("id", "=", videoId).executeTakeFirst();
  const job = await selectJobOfVideo(db).where("id", "=", jobId).executeTakeFirst();
  return video && job ? { video, job: settingsForVideo(withSettings(job), video).job } : null;
}

/** Returns every text in the settings of the video. */
async function textsOf(db: Kysely<Tables>, task: TokenTask): Promise<Set<string>> {
  const found = await readVideo(db, task);
  if (!found) return new Set();
  const { video, job } = found;
  const texts = new Set([video.link]);
  // Those of an assembled video are what a worker reported.
  const pass = video.clips === null ? video.row_pass : null;
  JSON.stringify([job, pass], (_name, value: unknown) => {
    if (typeof value === "string") texts.add(value);
    return value;
  });
  return texts;
}

/** Returns every link in the settings of the video. */
export async function linksOf(db: Kysely<Tables>, task: TokenTask): Promise<string[]> {
  return [...(await textsOf(db, task))].filter((text) => text.includes("/"));
}

/** Throws ClipmillError "forbidden" unless the video uses the host. */
export async function requireHost(db: Kysely<Tables>, task: TokenTask, host: HostName): Promise<void> {
  if (!(await linksOf(db, task)).some((text) => hostOfLink(text) === host)) throw forbidden();
}

/** Throws ClipmillError "forbidden" unless an attempt at the video may wait for the host. */
export async function requireWait(db: Kysely<Tables>, task: TokenTask, host: HostName): Promise<void> {
  if (host === "storage") return;
  const job = (await readVideo(db, task))?.job;
  if ((host === "openai" || host === "text") && job && languagesOf(job).some((language) => language !== null)) return;
  await requireHost(db, task, host);
}

/** Throws ClipmillError "forbidden" for more files than the settings ask for: they would count toward the job's limit. */
export function requirePlanned(job: ClaimedVideo["job"], outputs: readonly PlannedOutput[]): void {
  const files = filesOfVideo(job);
  const isCut = segmentationOf(job) !== null;
  if (!outputs.every(({ variant, segment }) => variant < files && (isCut || segment === 0))) throw forbidden();
}

/** Throws ClipmillError "forbidden" unless the video uses this link. */
export async function requireLink(db: Kysely<Tables>, task: TokenTask, text: string): Promise<void> {
  const link = parseLink(text);
  const isUsed = link && (await linksOf(db, task)).some((one) => isSame(parseLink(one), linkKey(link)));
  if (!isUsed) throw forbidden();
}

function isSame(link: ReturnType<typeof parseLink>, key: string): boolean {
  return link !== null && linkKey(link) === key;
}

/**
 * Throws ClipmillError "forbidden" unless the video shows texts of this kind in this language, and "unavailable" for a
 * line that its transcripts lack: an operator may have just corrected it.
 */
export async function requireTranslated(
  db: Kysely<Tables>,
  task: TokenTask,
  { texts, ahead = [], speech, language }: TextsToTranslate,
): Promise<void> {
  const job = (await readVideo(db, task))?.job;
  if (speech === undefined) {
    const own = await textsOf(db, task);
    if (!job?.languages.includes(language) || ![...texts, ...ahead].every((text) => own.has(text))) throw forbidden();
    return;
  }
  if (!job?.subtitles_enabled || !job.subtitle_languages.includes(language)) throw forbidden();
  const lines = [...texts, ...ahead, ...speech].filter((text) => text !== "");
  if (await areSpoken(db, task.videoId, lines)) return;
  throw new ClipmillError("unavailable", "The transcript has changed. Retry later.");
}

/** Throws ClipmillError "forbidden" unless the video needs the transcript of this clip, from its sound or from a file. */
export async function requireTranscript(
  db: Kysely<Tables>,
  task: TokenTask,
  { clip: number, link }: ClipTranscript,
  origin: "sound" | "file",
): Promise<void> {
  const found = await readVideo(db, task);
  const clip = found && hasTranscript(found.job) ? clipsOf(found)[number] : undefined;
  if (clip?.link !== link || (clip.subtitles === null) !== (origin === "sound")) throw forbidden();
}

/** Throws ClipmillError "forbidden" unless the video's job uses this library file. */
export async function requireLibraryFile(db: Kysely<Tables>, { jobId }: TokenTask, id: string): Promise<void> {
  const use = await db
    .selectFrom("library_uses")
    .select("file_id")
    .where("job_id", "=", jobId)
    .where("file_id", "=", id)
    .executeTakeFirst();
  if (!use) throw forbidden();
}
