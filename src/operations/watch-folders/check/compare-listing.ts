import { type Selectable, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { FolderEntry } from "#contract/sources/source-host.ts";
import { judgeName, LEFT_OUT, type LeftOut, type LeftOutCode } from "#contract/watch-folders/left-out.ts";
import { WATCH_LIMITS, type WatchFileState } from "#contract/watch-folders/watch-folders.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";

export type KnownFile = {
  id: string;
  path: string;
  name: string;
  revision: string;
  state: WatchFileState;
  link: string | null;
  reason_code: LeftOutCode | null;
  missing_since: string | null;
};

export type Changes = {
  added: ListedFile[];
  /** Waiting files with another version. */
  changed: (ListedFile & { id: string })[];
  /** Known versions that are back. */
  back: string[];
  /** Waiting files no longer in the folder. */
  gone: string[];
  /** Other files no longer in the folder. */
  missing: string[];
  /** To forget: missing temporary files, and files left out for a name that they no longer have. */
  finished: string[];
};

const NAME_CODES = new Set<LeftOutCode>(["hidden", "temporary", "not_a_video", "name"]);

/**
 * A version that was taken or skipped is never new again. `hasCopies`: files with a link are in the library, so they
 * stay usable after they leave the folder. Pure.
 */
export function compareListing(
  known: readonly KnownFile[],
  listed: readonly ListedFile[],
  hasCopies: boolean,
): Changes {
  const changes: Changes = { added: [], changed: [], back: [], gone: [], missing: [], finished: [] };
  const byVersion = new Map(known.map((file) => [versionOf(file), file]));
  const waiting = new Map(known.flatMap((file) => (file.state === "seen" ? [[file.path, file]] : [])));
  const present = new Set<string>();
  // On SFTP servers, two names that are not UTF-8 can look the same.
  for (const file of new Map(listed.map((one) => [one.path, one])).values()) {
    const same = byVersion.get(versionOf(file));
    const older = waiting.get(file.path);
    if (same) present.add(same.id);
    const isRenamed = same && hasBetterName(same, file);
    if (isRenamed) changes.finished.push(same.id);
    if (same && !isRenamed) {
      if (same.missing_since !== null || same.reason_code === "gone") changes.back.push(same.id);
    } else if (older) {
      present.add(older.id);
      changes.changed.push({ ...file, id: older.id });
    } else changes.added.push(file);
  }
  for (const file of known.filter(({ id }) => !present.has(id))) {
    if (file.state === "seen") {
      if (!(hasCopies && file.link !== null)) changes.gone.push(file.id);
      else if (file.missing_since === null) changes.missing.push(file.id);
    } else if (file.reason_code === "temporary") changes.finished.push(file.id);
    else if (file.missing_since === null) changes.missing.push(file.id);
  }
  return changes;
}

/** At hosts whose files have ids, a new name is no new version. */
function hasBetterName({ name, reason_code: code }: KnownFile, file: ListedFile): boolean {
  return code !== null && NAME_CODES.has(code) && name !== file.name && file.leftOut?.code !== code;
}

export function versionOf({ path, revision }: { path: string; revision: string }): string {
  return JSON.stringify([path, revision]);
}

/** No list of links can contain such a link. */
const UNUSABLE_LINK = /[,\p{Cc}\uFFFD]|\s$/u;

/** PostgreSQL cannot store null characters. */
export function judgeFile(file: ListedFile): ListedFile {
  const [path, name] = [file.path, file.name].map((text) => text.replaceAll("\0", "\uFFFD").toWellFormed());
  const leftOut = file.leftOut ?? judge(file);
  const link = leftOut?.code === "name" ? null : file.link;
  return Object.assign(file, { path: path!, name: name!, link, leftOut });
}

function judge({ path, name, link, isVideo }: ListedFile) {
  const byName = judgeName(name, isVideo);
  if (byName) return byName;
  // On SFTP servers, U+FFFD stands for bytes that are not UTF-8: the file cannot be opened by this name.
  const isUnusable = link === null ? path.includes("\uFFFD") : UNUSABLE_LINK.test(link);
  return isUnusable ? LEFT_OUT.name : null;
}

/** `link` is null for local files. `leftOut` is set for files left out whatever their name. */
export type ListedFile = Omit<FolderEntry, "link"> & { link: string | null; leftOut: LeftOut | null };

export function tooManyFiles(): ClipmillError {
  const most = WATCH_LIMITS.files.toLocaleString("en");
  return new ClipmillError("too_large", `This folder has more than ${most} files. Move the finished ones away.`);
}

/**
 * True for the name and size of a file that Clipmill delivers anywhere: otherwise, each result in a watched folder
 * would become a job, endlessly.
 */
export async function isDelivered(
  { db }: Pick<Context, "db">,
  { name, size_bytes: bytes }: { name: string; size_bytes: number | null },
): Promise<boolean> {
  const delivered = await db
    .selectFrom("delivery_files")
    .innerJoin("job_outputs", "job_outputs.id", "delivery_files.output_id")
    .select("delivery_files.id")
    .where("job_outputs.size_bytes", "=", bytes)
    .where(sql<string>`regexp_replace(delivery_files.target_path, '^.*/', '')`, "=", name)
    .limit(1)
    .executeTakeFirst();
  return delivered !== undefined;
}

type CopiedFile = Pick<Selectable<Tables["watch_files"]>, "path" | "name" | "revision" | "size_bytes">;

export type WatchedFiles = AsyncDisposable & {
  /** Throws a ClipmillError about the folder. */
  list(): Promise<ListedFile[]>;
  /**
   * Returns the copy's link, or null if the file is no longer the listed version. Null if jobs fetch files by their
   * links. Throws ClipmillError.
   */
  copy: ((file: CopiedFile, use?: "video" | "subtitles") => Promise<string | null>) | null;
};
