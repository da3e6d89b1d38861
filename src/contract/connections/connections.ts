/** Connections: sealed credentials of outside storage, one row each (function connections). */

/** Stored; never rename one. */
export type ConnectionKind = "s3";

/** What of an S3 connection is not secret. */
export type S3Settings = {
  /** Null for Amazon S3. */
  endpoint: string | null;
  region: string;
  access_key_id: string;
  /** The buckets that it is for; empty for all that no other connection lists. */
  buckets: string[];
  /** True to address buckets as `endpoint/bucket`, false as `bucket.endpoint`. */
  path_style: boolean;
};

/** A job with videos or music that need a connection. */
export type ConnectionUser = { id: string; name: string };

/** The secret is never returned. */
export type Connection = S3Settings & {
  id: string;
  kind: "s3";
  name: string;
  /** Increases with each change. */
  version: number;
  /** The secret's last characters; null if it is short or `needs_secret`. */
  last4: string | null;
  /** True if the saved secret cannot be decrypted or was removed, so that it must be entered again. */
  needs_secret: boolean;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
  /** The first unfinished jobs that need it. */
  used_by: ConnectionUser[];
  used_by_total: number;
};

/** Responses of the function connections. */
export type ConnectionsResponse = { data: Connection[] };
export type ConnectionResponse = { data: Connection };
export type RemoveConnectionResponse = { success: true };
export type TestConnectionResponse = { isValid: boolean; message: string };

export const CONNECTION_LIMITS = {
  connections: 100,
  nameCharacters: 100,
  endpointCharacters: 500,
  keyCharacters: 500,
  buckets: 100,
} as const;

/** Maximum jobs in `used_by`. */
export const MAX_LISTED_USERS = 10;
