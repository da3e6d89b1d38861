import { CONNECTION_LIMITS } from "../connections.ts";
import type { KindRules, SecretValues } from "./connection-kind.ts";

/** A service account that folders are shared with (developers.google.com/identity/protocols/oauth2/service-account). */
export const driveKind: KindRules<"drive"> = {
  kind: "drive",
  label: "Google Drive",
  text: "A Google service account that you share folders with",
  fields: [
    {
      name: "service_account_key",
      label: "Service account key (JSON)",
      type: "secret-text",
      hint: "The whole JSON file from Google Cloud: IAM → Service accounts → Keys.",
      maxCharacters: CONNECTION_LIMITS.longKeyCharacters,
      faultOf: (text) => (text === "" || readKey(text) ? null : NOT_A_KEY),
    },
  ],
  toSettings: () => ({}),
  toSecret: ({ service_account_key: text }) => (text ? (readKey(text) ?? {}) : {}),
  faultOfSecret: ({ private_key: key }) => (key ? null : "Paste the service account's JSON key."),
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
