/** Access tokens are requested with the refresh token (developers.dropbox.com/oauth-guide, read 2026-11-23). */
import { z } from "zod";
import type { DropboxSettings, SecretOf } from "#contract/connections/connections.ts";
import { explainDropboxError, explainTokenError } from "#contract/connections/dropbox-errors.ts";
import { DROPBOX_API, DROPBOX_CONTENT } from "#contract/connections/services.ts";
import {
  baseUrlOf,
  type DropboxRequests,
  type SourceResponse,
  type SourceBaseUrls,
  type SourceGet,
  type SourceRequest,
} from "#contract/sources/source-host.ts";
import { forgetAccessToken, readAccessToken } from "../access-tokens.ts";
import { parseJsonResponse } from "../remote-store.ts";

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

export type DropboxCredentials = { name: string; settings: DropboxSettings; secret: SecretOf["dropbox"] };

export type DropboxAccess = { get: SourceGet; baseUrls: SourceBaseUrls };

export type DropboxAccount = {
  /** Throws ClipmillError for an error response. */
  call<Schema extends z.ZodType>(endpoint: string, input: unknown, schema: Schema): Promise<z.output<Schema>>;
  /** Returns responses of any status but 401. */
  send(endpoint: string, input: unknown, content: Uint8Array): Promise<SourceResponse>;
} & Pick<DropboxRequests, "ask" | "read">;

export function openDropboxAccount(credentials: DropboxCredentials, access: DropboxAccess): DropboxAccount {
  const { name } = credentials;
  async function request(url: URL, baseUrl: string, more: Partial<SourceRequest>) {
    for (let isRepeated = false; ; isRepeated = true) {
      const token = await readDropboxToken(credentials, access);
      const response = await access.get(url, {
        service: "Dropbox",
        baseUrl,
        allowedHosts: [new URL(baseUrl).hostname],
        returnsRedirects: true,
        ...more,
        headers: { ...more.headers, authorization: `Bearer ${token}` },
      });
      if (response.status !== 401) return response;
      // The token may have been revoked before its expiry.
      forgetAccessToken(keyOf(credentials));
      if (isRepeated) throw explainDropboxError(response, await response.text(), name);
      response.body.destroy();
    }
  }
  const api = baseUrlOf(access, DROPBOX_API);
  const contentApi = baseUrlOf(access, DROPBOX_CONTENT);
  const ask: DropboxAccount["ask"] = (endpoint, input) =>
    request(new URL(`${api}/2/${endpoint}`), api, {
      method: "POST",
      // Endpoints without input expect the JSON null.
      content: JSON.stringify(input ?? null),
      headers: { "content-type": "application/json" },
    });
  return {
    ask,
    async call(endpoint, input, schema) {
      const response = await ask(endpoint, input);
      const body = await response.text();
      if (response.status !== 200) throw explainDropboxError(response, body, name);
      return parseJsonResponse(body, schema, "Dropbox");
    },
    // Only GET supports ranges (documentation#formats, "Content-download endpoints").
    read(endpoint, input, headers) {
      const url = new URL(`${contentApi}/2/${endpoint}`);
      url.searchParams.set("arg", JSON.stringify(input));
      return request(url, contentApi, { headers });
    },
    send: (endpoint, input, content) =>
      request(new URL(`${contentApi}/2/${endpoint}`), contentApi, {
        method: "POST",
        content,
        headers: { "dropbox-api-arg": toHeader(input), "content-type": "application/octet-stream" },
      }),
  };
}

/** Throws ClipmillError "bad_key" if Dropbox rejected the app or its refresh token. */
async function readDropboxToken(credentials: DropboxCredentials, access: DropboxAccess): Promise<string> {
  const { name, settings, secret } = credentials;
  return await readAccessToken(keyOf(credentials), async () => {
    const baseUrl = baseUrlOf(access, DROPBOX_API);
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: secret.refresh_token,
      client_id: settings.app_key,
      client_secret: secret.app_secret,
    });
    const response = await access.get(new URL(`${baseUrl}/oauth2/token`), {
      service: "Dropbox",
      baseUrl,
      allowedHosts: [new URL(baseUrl).hostname],
      returnsRedirects: true,
      method: "POST",
      content: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const body = await response.text();
    if (response.status !== 200) throw explainTokenError(response, body, name);
    const { access_token: token, expires_in: validSeconds } = parseJsonResponse(body, tokenSchema, "Dropbox");
    return { token, validSeconds };
  });
}

function keyOf({ settings, secret }: DropboxCredentials): string[] {
  return ["dropbox", settings.app_key, secret.app_secret, secret.refresh_token];
}

/** Escapes non-ASCII characters (developers.dropbox.com, "HTTP header-safe JSON"). */
function toHeader(input: unknown): string {
  return JSON.stringify(input).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
