import type { LibraryFile } from "#contract/calls.ts";
import type { JobRow, JobSettings } from "#contract/job-settings/job-settings.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import type { ListedFile, PreflightVideo } from "#contract/sources/preflight.ts";
import { libraryIdOf, nameSource } from "../../../sources/named-sources.ts";
import type { CheckedLinks } from "../links/check-links.ts";
import { toEntries } from "./edit-entries.ts";

/** "unknown": neither checked nor being checked. */
type VideoState = "unknown" | "checking" | "ready" | "problem" | "folder";

/** Facts are null until known. */
export type VideoRow = {
  key: string;
  link: string;
  /** From 1. */
  line: number;
  /** Index among the job's videos; null for a folder, which is not part of the job. */
  video: number | null;
  name: string;
  state: VideoState;
  durationSeconds: number | null;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  hasSound: boolean | null;
  thumbnailUrl: string | null;
  /** One sentence that says what to do. */
  problem: string | null;
  files: readonly ListedFile[] | null;
  /** The video's row in a table, if any. */
  row: JobRow | null;
};

/** Further links are not checked. */
export const MOST_CHECKED = 1_000;

const CHECK_LIMITS: { videos: number; linkCharacters: number } = {
  videos: MOST_CHECKED,
  linkCharacters: JOB_LIMITS.linkCharacters,
};

export type Checks = ReadonlyMap<string, PreflightVideo>;

type Music = Pick<JobSettings, "audio_enabled" | "audio_mode">;
const NO_MUSIC: Music = { audio_enabled: false, audio_mode: "replace" };

const NONE: ReadonlySet<string> = new Set();
const NO_RESULT = "This link can't be used. Check it or remove it.";

/**
 * Returns one per valid link and per folder, in the field's order. `given`: rows of the valid links, or empty. `music`:
 * the job's settings.
 */
export function readRows(
  links: CheckedLinks,
  checks: Checks,
  library: readonly LibraryFile[] | undefined,
  isChecking: boolean,
  given: readonly JobRow[] = [],
  music: Music = NO_MUSIC,
): VideoRow[] {
  const asked = isChecking ? new Set(linksToCheck(links)) : NONE;
  const files = new Map(library?.map((file) => [file.id, file]));
  let video = 0;
  const entries = links.entries.map((entry) => ({ ...entry, video: entry.isValid ? video++ : null }));
  const rows = entries.map((entry) => (entry.video === null ? null : (given[entry.video] ?? null)));
  const keys = toEntries(links.typed, rows);
  return entries.flatMap(({ link, line, isValid, video: place }, index) => {
    const check = checks.get(link);
    if (!isValid && !check?.files) return [];
    const id = libraryIdOf(link);
    const file = id === null ? undefined : files.get(id);
    const row = rows[index]!;
    const problem = problemOf(check, row?.settings ? { ...music, ...withSwitches(row.settings) } : music);
    const state = stateOf(check, problem, asked.has(link));
    return {
      key: keys[index]!.key,
      link,
      line,
      row,
      video: place,
      name: check?.name ?? file?.name ?? nameSource(link, library),
      state,
      durationSeconds: check?.duration_seconds ?? file?.durationSeconds ?? null,
      sizeBytes: check?.size_bytes ?? file?.sizeBytes ?? null,
      width: check?.width ?? null,
      height: check?.height ?? null,
      hasSound: check?.has_sound ?? null,
      thumbnailUrl: check?.thumbnail_url ?? file?.thumbnailUrl ?? null,
      problem: state === "problem" ? (problem ?? NO_RESULT) : null,
      files: check?.files ?? null,
    };
  });
}

/** Ignores a problem with the video's own sound if the job replaces that sound. */
function problemOf(check: PreflightVideo | undefined, music: Music): string | null {
  const isSoundReplaced = music.audio_enabled && music.audio_mode === "replace";
  return (check?.problem ?? (isSoundReplaced ? null : check?.sound_problem))?.message ?? null;
}

function stateOf(check: PreflightVideo | undefined, problem: string | null, isChecking: boolean): VideoState {
  if (check?.files) return "folder";
  if (!check || check.state === "pending") return isChecking ? "checking" : "unknown";
  return check.state === "ready" && check.ok && problem === null ? "ready" : "problem";
}

/** Returns the first links, including invalid ones that may be folders. */
export function linksToCheck({ entries }: CheckedLinks, limits = CHECK_LIMITS): string[] {
  const sent = entries.filter(
    ({ link, isValid }) =>
      (isValid || /^(?!http:)[a-z][a-z0-9]*:\/\//i.test(link)) && link.length <= limits.linkCharacters,
  );
  return [...new Set(sent.map(({ link }) => link))].slice(0, limits.videos);
}

export type SortOrder = "name" | "shortest" | "longest";

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts stably; rows of unknown length come last. */
export function sortRows(rows: readonly VideoRow[], order: SortOrder): string[] {
  const compare = (a: VideoRow, b: VideoRow): number => {
    if (order === "name") return byName.compare(a.name, b.name);
    if (a.durationSeconds === null || b.durationSeconds === null) {
      return Number(a.durationSeconds === null) - Number(b.durationSeconds === null);
    }
    return (a.durationSeconds - b.durationSeconds) * (order === "shortest" ? 1 : -1);
  };
  return rows.toSorted(compare).map(({ key }) => key);
}
