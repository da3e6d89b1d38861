import { type Selectable, sql } from "kysely";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { ClipmillError, detailsOf, type ErrorCode } from "#contract/errors.ts";
import { uploadLimit } from "#contract/library.ts";
import { type LeftOut, LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import type { Tables } from "#database/tables.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { readPreset } from "../../presets/change-presets.ts";
import type { WatchContext } from "../watch-context.ts";
import { isDelivered, type ListedFile, type WatchedFiles } from "./compare-listing.ts";
import { leftOut } from "./record-listing.ts";
import { startJobs } from "./start-jobs.ts";

type Folder = Selectable<Tables["watch_folders"]>;
type Waiting = Pick<
  Selectable<Tables["watch_files"]>,
  "id" | "path" | "revision" | "name" | "size_bytes" | "link" | "reason_code"
> & {
  attempts: number;
  is_settled: boolean;
  /** Settled so long ago that a batch no longer waits for others. */
  is_late: boolean;
};

/** How long a batch waits for files that are still growing. */
const MAX_BATCH_WAIT_SECONDS = 600;
const COPIES_AT_ONCE = 2;
const MAX_READ_ATTEMPTS = 5;

const UNUSABLE = new Set<ErrorCode>([
  ...([
    "not_a_video",
    "bad_subtitles",
    "damaged",
    "invalid",
    "unsupported_codec",
    "too_large",
    "too_short",
    "unrenderable",
  ] as const),
]);
/** These errors may pass. */
const UNREADABLE = new Set<ErrorCode>([
  ...(["forbidden", "render_failed", "not_shared", "source_not_found", "incomplete", "network"] as const),
]);

/** Returns true if files still wait. */
export async function takeFiles(
  context: WatchContext,
  folder: Folder,
  { copy, listed }: Pick<WatchedFiles, "copy"> & { listed: readonly ListedFile[] },
  signal: AbortSignal,
): Promise<boolean> {
  const waiting = await readWaiting(context, folder);
  const settled = waiting.filter((file) => file.is_settled);
  const isGrowing = settled.length < waiting.length;
  const isBatchOpen = folder.grouping === "batch" && isGrowing && !settled.some((file) => file.is_late);
  if (settled.length === 0 || isBatchOpen) return waiting.length > 0;
  const beside = (await showsSubtitles(context, folder)) ? subtitlesIn(listed) : new Map<string, ListedFile>();
  const ready: string[] = [];
  const prepare = async (file: Waiting) => {
    signal.throwIfAborted();
    if (await isUsable(context, folder, file, { copy, beside })) ready.push(file.id);
    // Each file starts as soon as it can.
    if (folder.grouping === "file") await startJobs(context, folder.id, ready.splice(0));
  };
  await forEachAtOnce(settled, folder.kind === "local" ? COPIES_AT_ONCE : 1, prepare);
  await startJobs(context, folder.id, ready);
  return isGrowing;
}

/** S3 shows only complete files; others must be the same in two checks. */
function readWaiting(
  { db }: Pick<WatchContext, "db">,
  { id, kind, settle_seconds: settle }: Folder,
): Promise<Waiting[]> {
  const settleSeconds = kind === "s3" ? 0 : settle;
  return db
    .selectFrom("watch_files")
    .select(["id", "path", "revision", "name", "size_bytes", "link", "reason_code", "attempts"])
    .select(isSameFor(settleSeconds).as("is_settled"))
    .select(isSameFor(settleSeconds + MAX_BATCH_WAIT_SECONDS).as("is_late"))
    .where("folder_id", "=", id)
    .where("state", "=", "seen")
    .orderBy("name")
    .orderBy("id")
    .execute();
}

function isSameFor(seconds: number) {
  return sql<boolean>`same_since <= now() - make_interval(secs => ${seconds}::int)`;
}

async function isUsable(
  context: WatchContext,
  folder: Folder,
  file: Waiting,
  { copy, beside }: Pick<WatchedFiles, "copy"> & { beside: ReadonlyMap<string, ListedFile> },
): Promise<boolean> {
  if (file.size_bytes === 0) return await skip(context, file, LEFT_OUT.empty);
  // runFileAgain keeps the reason code.
  const isWanted = file.reason_code === LEFT_OUT.delivered.code;
  if (!isWanted && (await isDelivered(context, file))) return await skip(context, file, LEFT_OUT.delivered);
  const subtitles = beside.get(nameWithoutExtension(file.name)) ?? null;
  if (!copy || file.link !== null) return !subtitles || (await addSubtitles(context, file, subtitles, copy));
  if ((file.size_bytes ?? 0) > uploadLimit("video")) return await skip(context, file, LEFT_OUT.too_large);
  try {
    const link = await copy(file);
    // Another version, which the next check sees.
    if (link === null) return false;
    const isSame = await isRepeated(context, folder.id, file, link);
    const why = isSame ? leftOut(LEFT_OUT.same) : { reason_code: null, reason: null };
    if (isSame) return !(await change(context, file, { link, ...why }));
    if (subtitles && !(await addSubtitles(context, file, subtitles, copy))) return false;
    return await change(context, file, { link, ...why });
  } catch (error) {
    return await explain(context, file, error);
  }
}

const SUBTITLES = /\.(?:srt|vtt|ass|ssa)$/i;

/** By the name of the video in the same folder. */
function subtitlesIn(listed: readonly ListedFile[]): Map<string, ListedFile> {
  const found = listed.filter(({ name, leftOut }) => SUBTITLES.test(name) && leftOut?.code === "not_a_video");
  return new Map(found.map((file) => [nameWithoutExtension(file.name), file]));
}

async function showsSubtitles({ db }: Pick<WatchContext, "db">, { preset_id: id }: Folder): Promise<boolean> {
  const preset = id === null ? null : await readPreset(db, id);
  return preset?.settings.subtitles_enabled === true;
}

/** Returns false if the subtitle file cannot be used, which the video's row then states, or is still changing. */
async function addSubtitles(
  context: WatchContext,
  file: Waiting,
  { path, name, revision, sizeBytes, link }: ListedFile,
  copy: WatchedFiles["copy"],
): Promise<boolean> {
  try {
    const copied = copy ? await copy({ path, name, revision, size_bytes: sizeBytes }, "subtitles") : link;
    return copied !== null && (await change(context, file, { subtitles_link: copied }));
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    const named = new ClipmillError(error.code, `${name}: ${error.message}`, detailsOf(error));
    return await explain(context, file, named);
  }
}

/** A copy of the same content over a file is no new version. */
async function isRepeated({ db }: Pick<WatchContext, "db">, folderId: string, file: Waiting, link: string) {
  const earlier = await db
    .selectFrom("watch_files")
    .select("id")
    .where("folder_id", "=", folderId)
    .where("path", "=", file.path)
    .where("link", "=", link)
    .where("state", "=", "taken")
    .executeTakeFirst();
  return earlier !== undefined;
}

/** Throws errors that the file did not cause. */
async function explain(context: WatchContext, file: Waiting, error: unknown): Promise<false> {
  if (!(error instanceof ClipmillError)) throw error;
  if (UNUSABLE.has(error.code)) return await skip(context, file, { code: "unusable", reason: error.message });
  if (UNREADABLE.has(error.code)) return await countAttempt(context, file, error.message);
  throw error;
}

async function countAttempt(context: WatchContext, file: Waiting, reason: string): Promise<false> {
  const attempts = file.attempts + 1;
  const state = attempts < MAX_READ_ATTEMPTS ? "seen" : "failed";
  await change(context, file, { attempts, state, reason_code: "unreadable", reason });
  return false;
}

async function skip(context: WatchContext, file: Waiting, why: LeftOut): Promise<false> {
  await change(context, file, leftOut(why));
  return false;
}

/** False if the file has another version by now, or another server was first. */
async function change(
  { db }: Pick<WatchContext, "db">,
  { id, revision }: Waiting,
  columns: Partial<Selectable<Tables["watch_files"]>>,
): Promise<boolean> {
  const changed = await db
    .updateTable("watch_files")
    .set(columns)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("state", "=", "seen")
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}
