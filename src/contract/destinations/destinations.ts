/** Destinations: where the files of jobs are delivered, one row each (function destinations). */

import type { Posting } from "./posting.ts";

/** Stored; never rename one. */
export const DESTINATION_KINDS = ["folder", "s3", "sftp", "drive", "dropbox", "postiz"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** The fields of a destination besides its name and kind. */
export type DestinationSettings = {
  /**
   * `folder`: the name of a folder that the server's configuration allows. `s3`: the bucket. `drive`: the ID of a folder.
   * `sftp`: a folder, by default that of the user. `dropbox` and `postiz`: "".
   */
  place: string;
  /** Below the place, parts separated by `/`; `{job}` is the job's name. "" is the place itself. */
  folder: string;
  /** Names of the delivered files; null: as in the job. See `name-pattern.ts`. */
  name_pattern: string | null;
  /** Whether the manifests are delivered after the files. */
  with_manifest: boolean;
  /** How files become posts; null for kinds that keep files. */
  posting: Posting | null;
};

/** A job or preset that delivers to a destination. */
export type DestinationUser = { id: string; name: string; type: "job" | "preset" };

export type Destination = DestinationSettings & {
  id: string;
  kind: DestinationKind;
  name: string;
  /** Null for a folder, and after its connection was removed. */
  connection_id: string | null;
  enabled: boolean;
  /** Increases with each change. */
  version: number;
  created_at: string;
  updated_at: string;
  /** The first unfinished jobs and presets that deliver to it. */
  used_by: DestinationUser[];
  used_by_total: number;
};

/** Responses of the function destinations. `folders` are the names that a destination of kind `folder` can use. */
export type DestinationsResponse = { data: Destination[]; folders: string[] };
export type DestinationResponse = { data: Destination };
export type TestDestinationResponse = { isValid: boolean; message: string };

/** The folder that every installation has: `deliveries` in its data directory. */
export const OWN_FOLDER = "deliveries";

export const DESTINATION_LIMITS = {
  destinations: 100,
  nameCharacters: 100,
  placeCharacters: 500,
  folderCharacters: 500,
} as const;

/** Maximum entries in `used_by`. */
export const MAX_LISTED_DESTINATION_USERS = 10;
