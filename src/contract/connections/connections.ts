import { z } from "zod";
import { component, named } from "../component.ts";

/** Stored; never rename one. */
export type ConnectionKind = "s3" | "dropbox" | "drive" | "sftp" | "postiz";

type Values<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

const S3_SETTINGS = {
  endpoint: z.string().nullable().describe("Null for Amazon S3."),
  region: z.string(),
  access_key_id: z.string(),
  buckets: z.array(z.string()).describe("Empty for all buckets that no other connection lists."),
  path_style: z.boolean().describe("True addresses buckets as `endpoint/bucket`, false as `bucket.endpoint`."),
};
export type S3Settings = Values<typeof S3_SETTINGS>;

/** An operator registers the app with Dropbox. */
const DROPBOX_SETTINGS = { app_key: z.string() };
export type DropboxSettings = Values<typeof DROPBOX_SETTINGS>;

/** The JSON key contains everything. */
type DriveSettings = Record<string, never>;

const SFTP_SETTINGS = {
  host: z.string(),
  port: z.number(),
  username: z.string(),
  sign_in: z.enum(["password", "private_key"]),
  host_key_fingerprint: z.string().describe("The only accepted host key, as ssh-keygen writes it: `SHA256:…`."),
};
export type SftpSettings = Values<typeof SFTP_SETTINGS>;

const POSTIZ_SETTINGS = {
  endpoint: z.string().nullable().describe("Of the API, without `/public/v1`; null for Postiz Cloud."),
  posts_per_hour: z.number(),
};
export type PostizSettings = Values<typeof POSTIZ_SETTINGS>;

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

export const ConnectionUser = component("ConnectionUser", () => ({
  id: z.string(),
  name: z.string(),
  type: z.enum(["job", "destination", "watch_folder"]),
}));
export type ConnectionUser = z.infer<typeof ConnectionUser>;

const SHARED_FIELDS = {
  id: z.string(),
  name: z.string(),
  version: z.number(),
  last4: z.string().nullable().describe("The secret's last characters; null if short or `needs_secret`."),
  needs_secret: z.boolean().describe("The secret cannot be decrypted or was removed: enter it again."),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  used_by: z.array(ConnectionUser).describe("The first 10 users that need it."),
  used_by_total: z.number(),
};

export const Connection = named(
  "Connection",
  "Never includes the secret.",
  z.discriminatedUnion("kind", [
    z.object({ ...SHARED_FIELDS, kind: z.literal("s3"), ...S3_SETTINGS }),
    z.object({ ...SHARED_FIELDS, kind: z.literal("dropbox"), ...DROPBOX_SETTINGS }),
    z.object({
      ...SHARED_FIELDS,
      kind: z.literal("drive"),
      client_email: z.string().nullable().describe("Null if `needs_secret`."),
    }),
    z.object({ ...SHARED_FIELDS, kind: z.literal("sftp"), ...SFTP_SETTINGS }),
    z.object({ ...SHARED_FIELDS, kind: z.literal("postiz"), ...POSTIZ_SETTINGS }),
  ]),
);
export type Connection = z.infer<typeof Connection>;

export const ConnectionsResponse = component("ConnectionsResponse", () => ({ data: z.array(Connection) }));
export type ConnectionsResponse = z.infer<typeof ConnectionsResponse>;

export const ConnectionResponse = component("ConnectionResponse", () => ({ data: Connection }));
export type ConnectionResponse = z.infer<typeof ConnectionResponse>;

export const TestConnectionResponse = component("TestConnectionResponse", () => ({
  isValid: z.boolean(),
  message: z.string(),
  found: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("Values for the operator to accept, such as `host_key_fingerprint`."),
}));
export type TestConnectionResponse = z.infer<typeof TestConnectionResponse>;

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
export function problemOfConnectionName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > CONNECTION_LIMITS.nameCharacters) return "Names can have at most 100 characters.";
  return CONTROL.test(name) ? "Names can't contain line breaks or invisible characters." : null;
}
