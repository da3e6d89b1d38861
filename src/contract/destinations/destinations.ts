import type { Posting } from "./posting.ts";

/** Stored; never rename one. */
export const DESTINATION_KINDS = ["folder", "s3", "sftp", "drive", "dropbox", "postiz"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export type DestinationSettings = {
  /**
   * `folder`: the name of a folder that the server's configuration allows. `s3`: the bucket. `drive`: a folder's ID.
   * `sftp`: a folder, by default the user's. `dropbox`, `postiz`: "".
   */
  place: string;
  /** Below the place, separated by `/`; `{job}` is the job's name. "" is the place itself. */
  folder: string;
  /** Null keeps the job's names. See `name-pattern.ts`. */
  name_pattern: string | null;
  with_manifest: boolean;
  /** Null for kinds that keep files. */
  posting: Posting | null;
};

export type DestinationUser = { id: string; name: string; type: "job" | "preset" };

export type Destination = DestinationSettings & {
  id: string;
  kind: DestinationKind;
  name: string;
  /** Null for a folder or a removed connection. */
  connection_id: string | null;
  enabled: boolean;
  version: number;
  created_at: string;
  updated_at: string;
  /** The first 10 unfinished jobs and presets that deliver to it. */
  used_by: DestinationUser[];
  used_by_total: number;
};

/** `folders` names those available to the kind `folder`. */
export type DestinationsResponse = { data: Destination[]; folders: string[] };
export type DestinationResponse = { data: Destination };
export type TestDestinationResponse = { isValid: boolean; message: string };

/** Every installation has it, in its data directory. */
export const OWN_FOLDER = "deliveries";

export const DESTINATION_LIMITS = {
  destinations: 100,
  nameCharacters: 100,
  placeCharacters: 500,
  folderCharacters: 500,
} as const;

export const MAX_LISTED_DESTINATION_USERS = 10;
