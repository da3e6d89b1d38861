import type { LeftOutCode } from "#contract/watch-folders/left-out.ts";
import type { WatchFileState } from "#contract/watch-folders/watch-folders.ts";
import type { ListedFile } from "./listed-file.ts";

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
