/** Places whose new files become jobs. */
import { z } from "zod";
import { component } from "../component.ts";
import { JOB_STATUSES } from "../jobs/jobs.ts";

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

export const WatchFolder = component("WatchFolder", () => ({
  id: z.string(),
  name: z.string(),
  kind: z.enum(WATCH_KINDS),
  place: z
    .string()
    .describe(
      "`local`: the folder's name. `s3`, `google-drive`: its link. `drive`: its link or ID. `dropbox`, `sftp`: its path.",
    ),
  connection_id: z.string().nullable().describe("Null for kinds without one or a removed connection."),
  connection_name: z.string().nullable(),
  preset_id: z.string().nullable(),
  preset_name: z.string().nullable(),
  job_name: z.string(),
  grouping: z.enum(GROUPINGS),
  interval_seconds: z.number(),
  settle_seconds: z.number(),
  existing: z.enum(EXISTING),
  paused_at: z.string().nullable().describe("Null while checked."),
  pause_reason: z.string().nullable().describe("Null if an operator paused it."),
  last_check_at: z.string().nullable(),
  last_fault: z.string().nullable(),
  files: z.object({
    failed: z.number(),
    seen: z.number(),
    skipped: z.number(),
    taken: z.number(),
  }),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
}));
export type WatchFolder = z.infer<typeof WatchFolder>;

export const WatchFile = component(
  "WatchFile",
  "A version of a file: one replaced under the same name is listed twice.",
  () => ({
    id: z.string(),
    name: z.string(),
    size_bytes: z.number().nullable(),
    state: z.enum(WATCH_FILE_STATES),
    reason: z.string().nullable().describe("Why it was left out or still waits."),
    job: z
      .object({ id: z.string(), name: z.string(), status: z.enum(JOB_STATUSES) })
      .nullable()
      .describe("The last job made from it; null if none or deleted."),
    is_missing: z.boolean().describe("No longer in the folder."),
    first_seen_at: z.string(),
    taken_at: z.string().nullable(),
  }),
);
export type WatchFile = z.infer<typeof WatchFile>;

export const WatchFoldersResponse = component("WatchFoldersResponse", "`local_folders` are this server's.", () => ({
  data: z.array(WatchFolder),
  local_folders: z.array(z.string()),
}));
export type WatchFoldersResponse = z.infer<typeof WatchFoldersResponse>;

export const WatchFolderResponse = component("WatchFolderResponse", () => ({ data: WatchFolder }));
export type WatchFolderResponse = z.infer<typeof WatchFolderResponse>;

export const WatchFilesResponse = component("WatchFilesResponse", () => ({ data: z.array(WatchFile) }));
export type WatchFilesResponse = z.infer<typeof WatchFilesResponse>;

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
