/** Checks that a worker without the database writes only to its own video. */
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { describeCooldown, type HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { createContact, HostCoolsDown } from "../hosts/contact-host.ts";
import type { Cooldown } from "../hosts/find-cooldown.ts";
import type { HostRecords } from "../hosts/host-records.ts";
import { COVER_SUFFIX, coverKeyOf, foldersOf, outputKeyOf } from "../jobs/job-folders.ts";
import type { CompletedOutput } from "../jobs/videos/complete-output.ts";
import type { VideoRecords } from "../jobs/videos/video-records.ts";
import type { TokenTask } from "./token-claims.ts";
import {
  forbidden,
  readVideo,
  requireHost,
  requirePlanned,
  requireTranscript,
  requireTranslated,
  requireWait,
} from "./video-uses.ts";

const STORAGE_MS = 10_000;
/** Asks only whether the storage responds. */
const UNKNOWN_KEY = "thumbnails/none.jpg";

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
    async recordHostFailure({ host, retryAfterSeconds }) {
      // Would stop all workers, and may be the fault of this one's network.
      if (host === "storage") return await tryStorage(context, records);
      await requireHost(db, task, host);
      // Other jobs' operators read the reason.
      const reason = describeCooldown(host, { code: "network", message: "" });
      return await records.recordHostFailure({ host, reason, retryAfterSeconds });
    },
    async postpone(failure, wait) {
      if (wait && "host" in wait) await requireWait(db, task, wait.host);
      return await records.postpone(failure, wait);
    },
    async plan({ pass, ...facts }, outputs, costMinutes) {
      const video = await readVideo(db, task);
      if (video) requirePlanned(video.job, outputs);
      return await records.plan({ ...facts, pass: video?.video.clips ? pass : null }, outputs, costMinutes);
    },
    findStored: (contentKey) => findFirst(keysOf(task, contentKey), (key) => records.findStored(key)),
    findKept: (contentKey) => findFirst(keysOf(task, contentKey), (key) => records.findKept(key)),
    recordSubtitles: (contentKey, srt) => records.recordSubtitles(ofToken(task, contentKey), srt),
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
      const { id, warnings } = output;
      for (const contentKey of keysOf(task, output.contentKey)) {
        const known = (await records.findStored(contentKey)) ?? (await records.findKept(contentKey));
        if (known?.storageKey === output.storageKey)
          return await records.complete({ ...known, id, warnings, contentKey });
      }
      await requireStored(context, task, output);
      return await records.complete({ ...output, contentKey: ofToken(task, output.contentKey) });
    },
    async obtainTranscript(of) {
      await requireTranscript(db, task, of, "sound");
      return await records.obtainTranscript({ ...of, content: ofToken(task, of.content) });
    },
    async keepFileTranscript(of, read) {
      await requireTranscript(db, task, of, "file");
      return await records.keepFileTranscript({ ...of, content: ofToken(task, of.content) }, read);
    },
    async translate(wanted, signal) {
      await requireTranslated(db, task, wanted);
      return await records.translate(wanted, signal);
    },
    async report({ outputs, ...progress }) {
      await requireOwnOutputs(db, task, [...outputs.keys()]);
      await records.report({ ...progress, outputs });
    },
  };
}

/** The worker says what a file contains: only workers with its token believe it. */
function ofToken({ tokenId }: TokenTask, content: string): string {
  return `token:${tokenId}:${content}`;
}

function keysOf(task: TokenTask, contentKey: string): string[] {
  return [ofToken(task, contentKey), contentKey];
}

async function findFirst<Found>(
  keys: readonly string[],
  find: (key: string) => Promise<Found | null>,
): Promise<Found | null> {
  for (const key of keys) {
    const found = await find(key);
    if (found) return found;
  }
  return null;
}

/** Returns the storage's cooldown, or null. */
async function tryStorage({ storage }: Reading, records: HostRecords): Promise<Cooldown | null> {
  const contact = createContact(records, AbortSignal.timeout(STORAGE_MS));
  try {
    await contact("storage", async (onResponse) => {
      await storage.sizeOf(UNKNOWN_KEY);
      onResponse();
    });
    return null;
  } catch (error) {
    if (error instanceof HostCoolsDown) return { host: error.host, reason: error.message };
    // One failure is not a cooldown.
    if (error instanceof ClipmillError) return null;
    throw error;
  }
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
 * unless the attempt writes files with this key, and for the file of a completed output.
 */
export async function requireWritable({ db, storage }: Reading, task: TokenTask, key: string): Promise<boolean> {
  const kind = await keyKindOf(db, task, key);
  if (kind === null) throw forbidden();
  if (kind === "output" && (await isRecorded(db, task, key))) throw forbidden();
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
