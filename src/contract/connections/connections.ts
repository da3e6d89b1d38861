/** Connections: sealed credentials of outside storage, one row each (function connections). */

/** Stored; never rename one. */
export type ConnectionKind = "s3" | "dropbox" | "drive" | "sftp" | "postiz";

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

/** The key of an app that an operator registered with Dropbox. */
export type DropboxSettings = { app_key: string };

/** What of a connection to Google Drive is not secret is in its key. */
type DriveSettings = Record<string, never>;

export type SftpSettings = {
  host: string;
  port: number;
  username: string;
  sign_in: "password" | "private_key";
  /** The only accepted host key, as `SHA256:…`, the way ssh-keygen writes it. */
  host_key_fingerprint: string;
};

export type PostizSettings = {
  /** Of the API, without `/public/v1`; null for Postiz Cloud. */
  endpoint: string | null;
  /** How many posts Clipmill makes in an hour. */
  posts_per_hour: number;
};

export type SettingsOf = {
  s3: S3Settings;
  dropbox: DropboxSettings;
  drive: DriveSettings;
  sftp: SftpSettings;
  postiz: PostizSettings;
};

/** What is sealed. */
export type SecretOf = {
  s3: { secret_access_key: string };
  dropbox: { app_secret: string; refresh_token: string };
  /** Of a service account's JSON key. */
  drive: { client_email: string; private_key_id: string; private_key: string };
  /** The password, or the key, in which case the passphrase may be absent. */
  sftp: { password?: string; private_key?: string; passphrase?: string };
  postiz: { api_key: string };
};

/** What needs a connection: an unfinished job, or what delivers to it or reads from it. */
export type ConnectionUser = { id: string; name: string; type: ConnectionUserType };
type ConnectionUserType = "job" | "destination" | "watch_folder";

type SharedFields = {
  id: string;
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
  /** The first users that need it. */
  used_by: ConnectionUser[];
  used_by_total: number;
};

type ConnectionOf<Kind extends ConnectionKind> = SharedFields & { kind: Kind } & (Kind extends "drive"
    ? // Null if `needs_secret`.
      { client_email: string | null }
    : SettingsOf[Kind]);

/** The secret is never returned. */
export type Connection = { [Kind in ConnectionKind]: ConnectionOf<Kind> }[ConnectionKind];

/** Responses of the function connections. */
export type ConnectionsResponse = { data: Connection[] };
export type ConnectionResponse = { data: Connection };
export type TestConnectionResponse = {
  isValid: boolean;
  message: string;
  /** Fields that the test found and that the operator may accept, such as `host_key_fingerprint`. */
  found?: Record<string, string>;
};

export const CONNECTION_LIMITS = {
  connections: 100,
  nameCharacters: 100,
  endpointCharacters: 500,
  keyCharacters: 500,
  /** Of private keys and JSON keys. */
  longKeyCharacters: 20_000,
  buckets: 100,
} as const;

/** Maximum users in `used_by`. */
export const MAX_LISTED_USERS = 10;

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Returns what is wrong with a connection's name, as a sentence, or null. */
export function faultOfConnectionName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > CONNECTION_LIMITS.nameCharacters) return "Names can have at most 100 characters.";
  return CONTROL.test(name) ? "Names can't contain line breaks or invisible characters." : null;
}
