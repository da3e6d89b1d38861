/**
 * Access tokens are requested with a signed assertion (developers.google.com/identity/protocols/oauth2/service-account,
 * read 2026-11-23).
 */
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import type { SecretOf } from "#contract/connections/connections.ts";
import { explainAssertionError, explainDriveError } from "#contract/connections/drive-errors.ts";
import { GOOGLE_OAUTH } from "#contract/connections/services.ts";
import { ClipmillError } from "#contract/errors.ts";
import { GOOGLE_API } from "#contract/sources/hosts/google-drive/open-file.ts";
import {
  baseUrlOf,
  type SourceResponse,
  type SourceBaseUrls,
  type SourceGet,
  type SourceRequest,
} from "#contract/sources/source-host.ts";
import { forgetAccessToken, readAccessToken } from "../access-tokens.ts";
import { parseJsonResponse } from "../remote-store.ts";

const SCOPE = "https://www.googleapis.com/auth/drive";
/** Constant, even if the token endpoint is a stand-in. */
const AUDIENCE = "https://oauth2.googleapis.com/token";
const ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

export type DriveCredentials = { name: string; secret: SecretOf["drive"] };
export type DriveAccess = { get: SourceGet; baseUrls: SourceBaseUrls };

export type DriveAccount = {
  /** `target` is an API path or a URL that the API returned. Returns responses of any status but 401. */
  request(target: string | URL, query: Record<string, string>, more?: Partial<SourceRequest>): Promise<SourceResponse>;
  /** Throws ClipmillError for an error response. */
  call<Schema extends z.ZodType>(
    path: string,
    query: Record<string, string>,
    schema: Schema,
    more?: Partial<SourceRequest>,
  ): Promise<z.output<Schema>>;
};

export function openAccount(credentials: DriveCredentials, access: DriveAccess): DriveAccount {
  const { name } = credentials;
  const baseUrl = baseUrlOf(access, GOOGLE_API);

  const request: DriveAccount["request"] = async (target, query, more = {}) => {
    const url = new URL(target, baseUrl);
    // Never sends the token to another origin.
    if (url.origin !== new URL(baseUrl).origin) {
      throw new ClipmillError("network", "Google Drive returned an unreadable response. Retry later.");
    }
    for (const [key, value] of Object.entries({ ...query, supportsAllDrives: "true" }))
      url.searchParams.set(key, value);
    for (let isRepeated = false; ; isRepeated = true) {
      const token = await readDriveToken(credentials, access);
      const response = await access.get(url, {
        service: "Google Drive",
        baseUrl,
        allowedHosts: [url.hostname],
        returnsRedirects: true,
        ...more,
        headers: { ...more.headers, authorization: `Bearer ${token}` },
      });
      if (response.status !== 401) return response;
      forgetAccessToken(keyOf(credentials));
      if (isRepeated) throw explainDriveError(response, await response.text(), name);
      response.body.destroy();
    }
  };
  return {
    request,
    async call(path, query, schema, more) {
      const response = await request(path, query, more);
      const body = await response.text();
      if (response.status < 200 || response.status > 299) throw explainDriveError(response, body, name);
      return parseJsonResponse(body || "null", schema, "Google Drive");
    },
  };
}

async function readDriveToken(credentials: DriveCredentials, access: DriveAccess): Promise<string> {
  return await readAccessToken(keyOf(credentials), async () => {
    const baseUrl = baseUrlOf(access, GOOGLE_OAUTH);
    const form = new URLSearchParams({ grant_type: ASSERTION, assertion: await signAssertion(credentials) });
    const response = await access.get(new URL(`${baseUrl}/token`), {
      service: "Google",
      baseUrl,
      allowedHosts: [new URL(baseUrl).hostname],
      returnsRedirects: true,
      method: "POST",
      content: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const body = await response.text();
    if (response.status !== 200) throw explainAssertionError(response, body, credentials.name);
    const { access_token: token, expires_in: validSeconds } = parseJsonResponse(body, tokenSchema, "Google");
    return { token, validSeconds };
  });
}

async function signAssertion({ name, secret }: DriveCredentials): Promise<string> {
  try {
    const key = await importPKCS8(secret.private_key, "RS256");
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: secret.private_key_id })
      .setIssuer(secret.client_email)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
  } catch (error) {
    throw new ClipmillError(
      "bad_key",
      `The private key of the connection "${name}" is damaged. Paste the whole JSON key again in Settings.`,
      { cause: error },
    );
  }
}

function keyOf({ secret }: DriveCredentials): string[] {
  return ["drive", secret.client_email, secret.private_key];
}
