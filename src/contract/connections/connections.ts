/** Stored; never rename one. */
export type ConnectionKind = "s3" | "dropbox" | "drive" | "sftp" | "postiz";

export type S3Settings = {
  /** Null for Amazon S3. */
  endpoint: string | null;
  region: string;
  access_key_id: string;
  /** Empty for all buckets that no other connection lists. */
  buckets: string[];
  /** True addresses buckets as `endpoint/bucket`, false as `bucket.endpoint`. */
  path_style: boolean;
};

/** An operator registers the app with Dropbox. */
export type DropboxSettings = { app_key: string };

/** The JSON key contains everything. */
type DriveSettings = Record<string, never>;

export type SftpSettings = {
  host: string;
  port: number;
  username: string;
  sign_in: "password" | "private_key";
  /** The only accepted host key, as ssh-keygen writes it: `SHA256:…`. */
  host_key_fingerprint: string;
};

export type PostizSettings = {
  /** Of the API, without `/public/v1`; null for Postiz Cloud. */
  endpoint: string | null;
  posts_per_hour: number;
};

export type SettingsOf = {
  s3: S3Settings;
  dropbox: DropboxSettings;
  drive: DriveSettings;
  sftp: SftpSettings;
  postiz: PostizSettings;
};

export type SecretOf = {
  s3: { secret_access_key: string };
  dropbox: { app_secret: string; refresh_token: string };
  /** From a service account's JSON key. */
  drive: { client_email: string; private_key_id: string; private_key: string };
  /** The password, or the key with an optional passphrase. */
  sftp: { password?: string; private_key?: string; passphrase?: string };
  postiz: { api_key: string };
};

export type ConnectionUser = { id: string; name: string; type: ConnectionUserType };
type ConnectionUserType = "job" | "destination" | "watch_folder";

type SharedFields = {
  id: string;
  name: string;
  version: number;
  /** The secret's last characters; null if short or `needs_secret`. */
  last4: string | null;
  /** The secret cannot be decrypted or was removed: enter it again. */
  needs_secret: boolean;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
  /** The first 10 users that need it. */
  used_by: ConnectionUser[];
  used_by_total: number;
};

type ConnectionOf<Kind extends ConnectionKind> = SharedFields & { kind: Kind } & (Kind extends "drive"
    ? // Null if `needs_secret`.
      { client_email: string | null }
    : SettingsOf[Kind]);

/** Never includes the secret. */
export type Connection = { [Kind in ConnectionKind]: ConnectionOf<Kind> }[ConnectionKind];

export type ConnectionsResponse = { data: Connection[] };
export type ConnectionResponse = { data: Connection };
export type TestConnectionResponse = {
  isValid: boolean;
  message: string;
  /** Values for the operator to accept, such as `host_key_fingerprint`. */
  found?: Record<string, string>;
};

export const CONNECTION_LIMITS = {
  connections: 100,
  nameCharacters: 100,
  endpointCharacters: 500,
  keyCharacters: 500,
  /** For private keys and JSON keys. */
  longKeyCharacters: 20_000,
  buckets: 100,
} as const;

export const MAX_LISTED_USERS = 10;

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Returns a sentence, or null. */
export function faultOfConnectionName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > CONNECTION_LIMITS.nameCharacters) return "Names can have at most 100 characters.";
  return CONTROL.test(name) ? "Names can't contain line breaks or invisible characters." : null;
}
