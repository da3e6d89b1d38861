/** Places whose new files become jobs. */
import type { JobStatus } from "../jobs/jobs.ts";

/** Need a connection of the same kind. Stored; never rename one. */
const CONNECTED_KINDS = ["drive", "dropbox", "sftp"] as const;
export type ConnectedKind = (typeof CONNECTED_KINDS)[number];

/** `google-drive` is a shared link. Stored; never rename one. */
export const WATCH_KINDS = ["local", "s3", "google-drive", ...CONNECTED_KINDS] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

export function isConnected(kind: WatchKind): kind is ConnectedKind {
  return (CONNECTED_KINDS as readonly WatchKind[]).includes(kind);
}

/** True if files are copied to the library; jobs fetch others by link. */
export function isCopied(kind: WatchKind): boolean {
  return kind === "local" || isConnected(kind);
}

/** One job for all files that come together, or one per file. Stored. */
export const GROUPINGS = ["batch", "file"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Files of the first check are left out or become jobs. */
export const EXISTING = ["skip", "take"] as const;
export type Existing = (typeof EXISTING)[number];

/** Stored. `seen`: waits until complete. */
export const WATCH_FILE_STATES = ["seen", "taken", "skipped", "failed"] as const;
export type WatchFileState = (typeof WATCH_FILE_STATES)[number];

export type WatchFolder = {
  id: string;
  name: string;
  kind: WatchKind;
  /**
   * `local`: the folder's name. `s3`, `google-drive`: its link. `drive`: its link or ID. `dropbox`, `sftp`: its path.
   */
  place: string;
  /** Null for kinds without one or a removed connection. */
  connection_id: string | null;
  connection_name: string | null;
  preset_id: string | null;
  preset_name: string | null;
  job_name: string;
  grouping: Grouping;
  interval_seconds: number;
  settle_seconds: number;
  existing: Existing;
  /** Null while checked. */
  paused_at: string | null;
  /** Null if an operator paused it. */
  pause_reason: string | null;
  last_check_at: string | null;
  last_fault: string | null;
  files: Record<WatchFileState, number>;
  version: number;
  created_at: string;
  updated_at: string;
};

/** A version of a file: one replaced under the same name is listed twice. */
export type WatchFile = {
  id: string;
  name: string;
  size_bytes: number | null;
  state: WatchFileState;
  /** Why it was left out or still waits. */
  reason: string | null;
  /** The last job made from it; null if none or deleted. */
  job: { id: string; name: string; status: JobStatus } | null;
  /** No longer in the folder. */
  is_missing: boolean;
  first_seen_at: string;
  taken_at: string | null;
};

/** `local_folders` are this server's. */
export type WatchFoldersResponse = { data: WatchFolder[]; local_folders: string[] };
export type WatchFolderResponse = { data: WatchFolder };
export type WatchFilesResponse = { data: WatchFile[] };

export const WATCH_LIMITS = {
  folders: 50,
  nameCharacters: 100,
  placeCharacters: 2_000,
  /** A folder with more is not read. */
  files: 20_000,
  filesPerPage: 100,
  intervalSeconds: { least: 10, most: 86_400 },
  settleSeconds: { least: 5, most: 3_600 },
} as const;

export const WATCH_DEFAULTS = {
  job_name: "{folder} {date} {time}",
  grouping: "batch",
  interval_seconds: 60,
  settle_seconds: 30,
  existing: "skip",
} as const satisfies Partial<WatchFolder>;
