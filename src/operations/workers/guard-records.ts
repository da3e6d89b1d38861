/** Checks that a worker without the database writes only to its own video. */
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { COVER_SUFFIX, coverKeyOf, foldersOf, outputKeyOf } from "../jobs/job-folders.ts";
import type { CompletedOutput } from "../jobs/videos/complete-output.ts";
import type { VideoRecords } from "../jobs/videos/video-records.ts";
import type { ClipTranscript } from "../transcripts/obtain-transcript.ts";
import type { TokenTask } from "./token-claims.ts";
import { forbidden, readVideo, requireHost, requireTranscript, requireTranslated } from "./video-uses.ts";

type Reading = Pick<Context, "db" | "storage">;

/** Throws ClipmillError "forbidden" for what is not the video's. */
export function guardRecords(context: Reading, task: TokenTask, records: VideoRecords): VideoRecords {
  const { db } = context;
  const requireOwnHost = async (host: HostName): Promise<void> => {
    if (host !== "storage") await requireHost(db, task, host);
  };
  return {
    ...records,
    async readHost(host) {
      await requireOwnHost(host);
      return await records.readHost(host);
    },
    async recordHostResponse(host) {
      await requireOwnHost(host);
      await records.recordHostResponse(host);
    },
    async releaseProbe(host) {
      await requireOwnHost(host);
      await records.releaseProbe(host);
    },
    async recordHostFailure(failure) {
      // Would stop all workers, and may be the fault of this one's network.
      if (failure.host === "storage") return null;
      await requireHost(db, task, failure.host);
      return await records.recordHostFailure(failure);
    },
    async plan({ pass, ...facts }, outputs, costMinutes) {
      const isAssembled = Boolean((await readVideo(db, task))?.video.clips);
      return await records.plan({ ...facts, pass: isAssembled ? pass : null }, outputs, costMinutes);
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
      await requireTranscript(db, task, of, "sound");
      return await records.obtainTranscript(ofJob(task, of));
    },
    async keepFileTranscript(of, read) {
      await requireTranscript(db, task, of, "file");
      return await records.keepFileTranscript(ofJob(task, of), read);
    },
    async translate(wanted, signal) {
      await requireTranslated(db, task, [...wanted.texts, ...(wanted.ahead ?? [])], wanted.language);
      return await records.translate(wanted, signal);
    },
    async report({ outputs, ...progress }) {
      await requireOwnOutputs(db, task, [...outputs.keys()]);
      await records.report({ ...progress, outputs });
    },
  };
}

/** The worker says what the source contains: other jobs do not believe it. */
function ofJob({ jobId }: TokenTask, of: ClipTranscript): ClipTranscript {
  return { ...of, content: `job:${jobId}:${of.content}` };
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
