/** Checks that a worker without the database writes only to its own video. */
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { type HostName, hostOfLink } from "#contract/sources/cooldowns.ts";
import { linkKey, parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { COVER_SUFFIX, coverKeyOf, foldersOf, outputKeyOf } from "../jobs/job-folders.ts";
import { withSettings } from "../jobs/read/stored-settings.ts";
import { selectJobOfVideo, settingsForVideo } from "../jobs/videos/claim-video.ts";
import type { CompletedOutput } from "../jobs/videos/complete-output.ts";
import type { VideoRecords } from "../jobs/videos/video-records.ts";
import type { TokenTask } from "./token-claims.ts";

type Reading = Pick<Context, "db" | "storage">;

const NOT_YOURS = "This worker may not use that: it belongs to none of its videos.";

/** Throws ClipmillError "forbidden" for what is not the video's. */
export function guardRecords(context: Reading, task: TokenTask, records: VideoRecords): VideoRecords {
  const { db } = context;
  return {
    ...records,
    async recordHostFailure(failure, nowMs) {
      if (failure.host !== "storage") await requireHost(db, task, failure.host);
      return await records.recordHostFailure(failure, nowMs);
    },
    async storeFile(key, fromPath, options) {
      const isWanted = await requireWritable(context, task, key);
      return isWanted ? await records.storeFile(key, fromPath, options) : options.measured!;
    },
    async removeFile(key) {
      for (let attempt = 1; attempt <= task.attempt; attempt += 1) {
        if ((await keyKindOf(db, { ...task, attempt }, key)) !== "output" || (await isRecorded(db, task, key)))
          continue;
        return await records.removeFile(key);
      }
    },
    async complete(output) {
      await requireOwnOutputs(db, task, [output.id]);
      const { id, warnings, contentKey } = output;
      const known = (await records.findStored(contentKey)) ?? (await records.findKept(contentKey));
      if (known?.storageKey === output.storageKey) {
        return await records.complete({ ...known, id, warnings, contentKey });
      }
      await requireStored(context, task, output);
      return await records.complete(output);
    },
    async obtainTranscript(of) {
      await requireLink(db, task, of.link);
      return await records.obtainTranscript(of);
    },
    async keepFileTranscript(of, read) {
      await requireLink(db, task, of.link);
      return await records.keepFileTranscript(of, read);
    },
    async translate(wanted, tools) {
      if (!(await isTranslated(db, task, wanted.language))) throw forbidden();
      return await records.translate(wanted, tools);
    },
    async report({ outputs, ...progress }) {
      await requireOwnOutputs(db, task, [...outputs.keys()]);
      await records.report({ ...progress, outputs });
    },
  };
}

function forbidden(): ClipmillError {
  return new ClipmillError("forbidden", NOT_YOURS);
}

const THUMBNAIL = /^[\w-]+(?:\.[\w-]+)*\.jpg$/;

/** Null for a key that an attempt at the video does not write. */
async function keyKindOf(
  db: Kysely<Tables>,
  { jobId, videoId, attempt }: TokenTask,
  key: string,
): Promise<"thumbnail" | "output" | null> {
  const job = await db.selectFrom("jobs").select(["id", "output_folder"]).where("id", "=", jobId).executeTakeFirst();
  if (!job) return null;
  const { thumbnails } = foldersOf(job);
  if (key.startsWith(`${thumbnails}/`)) return THUMBNAIL.test(key.slice(thumbnails.length + 1)) ? "thumbnail" : null;
  const file = key.slice(key.lastIndexOf("/") + 1);
  const outputs = await db
    .selectFrom("job_outputs")
    .select("name")
    .where("video_id", "=", videoId)
    .where("name", "in", [file, withoutCover(file)])
    .execute();
  const own = outputs.map(({ name }) => outputKeyOf(job, name, attempt));
  return own.some((one) => key === one || key === coverKeyOf(one)) ? "output" : null;
}

function withoutCover(key: string): string {
  return key.endsWith(COVER_SUFFIX) ? key.slice(0, -COVER_SUFFIX.length) : key;
}

/**
 * Returns false if the file is in storage already: a thumbnail is named by its content. Throws ClipmillError "forbidden"
 * unless the attempt writes files with this key.
 */
export async function requireWritable({ db, storage }: Reading, task: TokenTask, key: string): Promise<boolean> {
  const kind = await keyKindOf(db, task, key);
  if (kind === null) throw forbidden();
  return kind === "output" || (await storage.sizeOf(key)) === null;
}

async function isRecorded(db: Kysely<Tables>, { jobId }: TokenTask, key: string): Promise<boolean> {
  const keys = [key, withoutCover(key)];
  for (const table of ["job_outputs", "job_kept_files"] as const) {
    const row = await db
      .selectFrom(table)
      .select("storage_key")
      .where("job_id", "=", jobId)
      .where("storage_key", "in", keys)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

async function requireOwnOutputs(db: Kysely<Tables>, { videoId }: TokenTask, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .selectFrom("job_outputs")
    .select("id")
    .where("video_id", "=", videoId)
    .where("id", "in", ids)
    .execute();
  if (rows.length < new Set(ids).size) throw forbidden();
}

/** The file must be in storage with the stated size. */
async function requireStored({ db, storage }: Reading, task: TokenTask, output: CompletedOutput): Promise<void> {
  const { storageKey, thumbnailKey, sizeBytes, cover } = output;
  const isOwn =
    (await keyKindOf(db, task, storageKey)) === "output" && (await keyKindOf(db, task, thumbnailKey)) === "thumbnail";
  if (!isOwn) throw forbidden();
  const files: [string, number][] = [[storageKey, sizeBytes]];
  if (cover) files.push([coverKeyOf(storageKey), cover.sizeBytes]);
  for (const [key, bytes] of files) {
    if ((await storage.sizeOf(key)) === bytes) continue;
    throw new ClipmillError("incomplete", "The storage has only part of this file. Retry later.");
  }
}

/** The video with its settings; null if it was deleted. */
async function readVideo(db: Kysely<Tables>, { jobId, videoId }: TokenTask) {
  const video = await db.selectFrom("job_videos").selectAll().where("id", "=", videoId).executeTakeFirst();
  const job = await selectJobOfVideo(db).where("id", "=", jobId).executeTakeFirst();
  return video && job ? { video, settings: settingsForVideo(withSettings(job), video) } : null;
}

/** Returns every link in the settings of the video. */
export async function linksOf(db: Kysely<Tables>, task: TokenTask): Promise<string[]> {
  const found = await readVideo(db, task);
  if (!found) return [];
  const { video, settings } = found;
  const texts: string[] = [video.link];
  JSON.stringify([settings, video.row_pass], (_name, value: unknown) => {
    if (typeof value === "string" && value.includes("/")) texts.push(value);
    return value;
  });
  return texts;
}

/** Whether the video's captions are translated: into `language`, or at all. */
async function isTranslated(db: Kysely<Tables>, task: TokenTask, language?: string): Promise<boolean> {
  const { languages = [] } = (await readVideo(db, task))?.settings.job ?? {};
  return language === undefined ? languages.length > 0 : languages.includes(language);
}

async function requireHost(db: Kysely<Tables>, task: TokenTask, host: HostName): Promise<void> {
  if (host === "openai" && (await isTranslated(db, task))) return;
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
