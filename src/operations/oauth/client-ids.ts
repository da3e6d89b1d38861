/**
 * A client ID is a signed statement of the assistant's name and redirect URIs. Anyone can register one, so registrations
 * are not stored: strangers could fill the database.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { toPlainText } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import { deriveKey } from "../derive-key.ts";
import { problemOfRedirectUri } from "./redirect-uris.ts";

export type OAuthClient = { name: string; redirectUris: string[] };

export type ClientIds = {
  /** Equal clients get equal IDs (RFC 7591 section 3.2.1). */
  issue(client: OAuthClient): string;
  /** Returns null for an ID that was not issued with this app secret. */
  read(clientId: string): OAuthClient | null;
};

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 10;
/** The ID is part of an address, which proxies limit to about 8,000 characters. */
const MAX_STATEMENT = 2_000;

const statementSchema = z.tuple([z.string(), z.array(z.string())]);

export function createClientIds(appSecret: string): ClientIds {
  const key = deriveKey(appSecret, "oauth clients");
  const sign = (statement: string): Buffer => createHmac("sha256", key).update(statement).digest();
  return {
    issue({ name, redirectUris }) {
      const statement = Buffer.from(JSON.stringify([name, redirectUris])).toString("base64url");
      return `${statement}.${sign(statement).toString("base64url")}`;
    },
    read(clientId) {
      const [statement = "", signature = "", ...rest] = clientId.split(".");
      const given = Buffer.from(signature, "base64url");
      const wanted = sign(statement);
      if (rest.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const [name, redirectUris] = statementSchema.parse(JSON.parse(Buffer.from(statement, "base64url").toString()));
      return { name, redirectUris };
    },
  };
}

const registrationSchema = z.object({
  client_name: z.string().optional().catch(undefined),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
});

/**
 * Reads RFC 7591 metadata; other fields have no effect. Leaves out redirect URIs that are not accepted. If none is, throws
 * ClipmillError "invalid" with what is wrong with the first.
 */
export function readRegistration(metadata: Record<string, unknown>): OAuthClient {
  const parsed = registrationSchema.safeParse(metadata);
  if (!parsed.success) {
    throw new ClipmillError("invalid", `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses.`);
  }
  const { redirect_uris: given, client_name: name } = parsed.data;
  const redirectUris = given.filter((uri) => problemOfRedirectUri(uri) === null);
  if (redirectUris.length === 0) throw new ClipmillError("invalid", problemOfRedirectUri(given[0]!)!);
  if (redirectUris.join("").length > MAX_STATEMENT) {
    throw new ClipmillError("invalid", `The redirect URIs have more than ${MAX_STATEMENT} characters.`);
  }
  return { name: cleanClientName(name) || new URL(redirectUris[0]!).hostname || "Unnamed assistant", redirectUris };
}

function cleanClientName(name = ""): string {
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  let kept = "";
  // A grapheme can have any number of combining characters.
  for (const { segment } of graphemes.segment(toPlainText(name.slice(0, 10 * MAX_NAME)).trim())) {
    if (kept.length + segment.length > MAX_NAME) break;
    kept += segment;
  }
  return kept.trim();
}
