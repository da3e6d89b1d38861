import { CONNECTION_LIMITS, type ConnectionKind } from "../connections.ts";
import {
  type ConnectionField,
  problemOfVisibleText,
  type FieldValues,
  type KindRules,
  type SecretValues,
  textOf,
} from "./connection-kind.ts";
import { problemOfEndpoint, s3Kind } from "./s3.ts";
import { sftpKind } from "./sftp.ts";

/** The lowest documented limit (postiz-service.ts). */
const DEFAULT_POSTS_PER_HOUR = 30;
const MOST_POSTS_PER_HOUR = 10_000;

/** Postiz Cloud or self-hosted (docs.postiz.com/public-api, read 2026-11-23). */
const postizKind: KindRules<"postiz"> = {
  kind: "postiz",
  label: "Postiz",
  text: "Postiz, which schedules posts to social networks",
  fields: [
    {
      name: "endpoint",
      label: "API address",
      type: "text",
      placeholder: "https://postiz.example.com/api",
      hint: "Leave empty for Postiz Cloud. A self-hosted API is usually at /api.",
      maxCharacters: CONNECTION_LIMITS.endpointCharacters,
      problemOf: problemOfEndpoint,
    },
    {
      name: "api_key",
      label: "API key",
      type: "secret",
      hint: "In Postiz, open Settings, Developers, Public API.",
      problemOf: (key) => problemOfVisibleText(key, "API key"),
    },
    {
      name: "posts_per_hour",
      label: "Posts per hour",
      type: "text",
      isNumber: true,
      placeholder: String(DEFAULT_POSTS_PER_HOUR),
      hint: "Files beyond this limit wait. Postiz allows 30 to 100, depending on its version. If you host it, API_LIMIT sets this.",
      problemOf: (number) =>
        number === "" || (/^\d{1,5}$/.test(number) && Number(number) > 0 && Number(number) <= MOST_POSTS_PER_HOUR)
          ? null
          : "Posts per hour must be a number from 1 to 10,000.",
    },
  ],
  toSettings: (fields) => ({
    endpoint:
      textOf(fields, "endpoint")
        .replace(/\/+$/, "")
        .replace(/\/public\/v1$/, "") || null,
    posts_per_hour: Number(textOf(fields, "posts_per_hour") || DEFAULT_POSTS_PER_HOUR),
  }),
  problemOfSecret: ({ api_key: key }) => (key ? null : "Enter the API key."),
  placeOf: ({ endpoint }) => endpoint ?? "",
  endingOf: "api_key",
};

/** A service account that folders are shared with (developers.google.com/identity/protocols/oauth2/service-account). */
const driveKind: KindRules<"drive"> = {
  kind: "drive",
  label: "Google Drive",
  text: "A Google service account that you share folders with",
  fields: [
    {
      name: "service_account_key",
      label: "Service account key (JSON)",
      type: "secret-text",
      hint: "The whole JSON file. In Google Cloud, open IAM, Service accounts, Keys.",
      maxCharacters: CONNECTION_LIMITS.longKeyCharacters,
      problemOf: (text) => (text === "" || readKey(text) ? null : NOT_A_KEY),
    },
  ],
  toSettings: () => ({}),
  toSecret: ({ service_account_key: text }) => (text ? (readKey(text) ?? {}) : {}),
  problemOfSecret: ({ private_key: key }) => (key ? null : "Paste the service account's JSON key."),
  endingOf: "private_key_id",
  published: ["client_email"],
};

const NOT_A_KEY = "This is not a service account's JSON key. Download one in Google Cloud and paste the whole file.";

/** Ignores the file's addresses: tokens are requested only from Google. */
function readKey(text: string): SecretValues | null {
  try {
    const { type, client_email, private_key_id, private_key } = JSON.parse(text) as Record<string, unknown>;
    const isKey =
      type === "service_account" &&
      typeof client_email === "string" &&
      /^[^\s@]+@[^\s@]+$/.test(client_email) &&
      typeof private_key_id === "string" &&
      typeof private_key === "string" &&
      private_key.includes("-----BEGIN PRIVATE KEY-----");
    return isKey ? { client_email, private_key_id, private_key } : null;
  } catch {
    return null;
  }
}

/**
 * The operator's own app, with a refresh token for one account (developers.dropbox.com/oauth-guide, read 2026-11-23).
 */
const dropboxKind: KindRules<"dropbox"> = {
  kind: "dropbox",
  label: "Dropbox",
  text: "A Dropbox account, through your own app",
  fields: [
    {
      name: "app_key",
      label: "App key",
      type: "text",
      hint: "From your app at dropbox.com/developers/apps.",
      problemOf: (key) => problemOfVisibleText(key, "app key") ?? (key === "" ? "Enter the app key." : null),
    },
    {
      name: "app_secret",
      label: "App secret",
      type: "secret",
      problemOf: (secret) => problemOfVisibleText(secret, "app secret"),
    },
    {
      name: "refresh_token",
      label: "Refresh token",
      type: "secret",
      hint: "From an authorization with token_access_type=offline.",
      problemOf: (token) => problemOfVisibleText(token, "refresh token"),
    },
  ],
  toSettings: (fields) => ({ app_key: textOf(fields, "app_key") }),
  problemOfSecret({ app_secret: secret, refresh_token: token }) {
    if (!secret) return "Enter the app secret.";
    return token ? null : "Enter the refresh token.";
  },
  endingOf: "refresh_token",
};

/** In display order. */
export const CONNECTION_KINDS: { readonly [Kind in ConnectionKind]: KindRules<Kind> } = {
  s3: s3Kind,
  dropbox: dropboxKind,
  drive: driveKind,
  sftp: sftpKind,
  postiz: postizKind,
};

export const KIND_NAMES = Object.keys(CONNECTION_KINDS) as ConnectionKind[];

export function rulesOf<Kind extends ConnectionKind>(kind: Kind): KindRules<Kind> {
  return CONNECTION_KINDS[kind];
}

export function isSecretField({ type }: ConnectionField): boolean {
  return type === "secret" || type === "secret-text";
}

/** False for a field of another choice, such as the password beside a private key. */
export function isFieldShown({ shownFor }: ConnectionField, fields: FieldValues): boolean {
  return !shownFor || fields[shownFor.field] === shownFor.value;
}

export function problemOfField(field: ConnectionField, fields: FieldValues): string | null {
  if (!isFieldShown(field, fields)) return null;
  const value = fields[field.name];
  if (typeof value === "string") return field.problemOf?.(value, fields) ?? null;
  return Array.isArray(value) ? (field.problemOfLines?.(value as readonly string[]) ?? null) : null;
}
