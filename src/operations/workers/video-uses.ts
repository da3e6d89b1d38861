/** What a video's settings name. A worker without the database may use nothing else. */
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { hasTranscript } from "#contract/jobs/video-settings.ts";
import { type HostName, hostOfLink } from "#contract/sources/cooldowns.ts";
import { linkKey, parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";
import { withSettings } from "../jobs/read/stored-settings.ts";
import { selectJobOfVideo, settingsForVideo } from "../jobs/videos/claim-video.ts";
import { clipsOf } from "../jobs/videos/clips-of-video.ts";
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

/** Throws ClipmillError "forbidden" unless the video uses this link. */
export async function requireLink(db: Kysely<Tables>, task: TokenTask, text: string): Promise<void> {
  const link = parseLink(text);
  const isUsed = link && (await linksOf(db, task)).some((one) => isSame(parseLink(one), linkKey(link)));
  if (!isUsed) throw forbidden();
}

function isSame(link: ReturnType<typeof parseLink>, key: string): boolean {
  return link !== null && linkKey(link) === key;
}

/** Throws ClipmillError "forbidden" unless the video shows these texts in this language. */
export async function requireTranslated(
  db: Kysely<Tables>,
  task: TokenTask,
  texts: readonly string[],
  language: string,
): Promise<void> {
  const { languages = [] } = (await readVideo(db, task))?.job ?? {};
  const own = await textsOf(db, task);
  if (!languages.includes(language) || !texts.every((text) => own.has(text))) throw forbidden();
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
