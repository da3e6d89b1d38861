/**
 * Requests to Dropbox's API with an access token, which is requested with the refresh token and kept in memory
 * (developers.dropbox.com/oauth-guide, read 2026-11-23).
 */
import { z } from "zod";
import type { DropboxSettings, SecretOf } from "#contract/connections/connections.ts";
import { explainDropboxRefusal, explainTokenRefusal } from "#contract/connections/dropbox-refusals.ts";
import { DROPBOX_API, DROPBOX_CONTENT } from "#contract/connections/services.ts";
import {
  baseUrlOf,
  type SourceAnswer,
  type SourceBaseUrls,
  type SourceGet,
  type SourceRequest,
} from "#contract/sources/source-host.ts";
import { forgetAccessToken, readAccessToken } from "../access-tokens.ts";
import { parseJsonAnswer } from "../service-answer.ts";

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

export type DropboxCredentials = { name: string; settings: DropboxSettings; secret: SecretOf["dropbox"] };

export type DropboxAccess = { get: SourceGet; baseUrls: SourceBaseUrls };

export type DropboxAccount = {
  /** Calls an endpoint with JSON, and returns the JSON of its answer. Throws ClipmillError for a refusal. */
  call<Schema extends z.ZodType>(endpoint: string, input: unknown, schema: Schema): Promise<z.output<Schema>>;
  /** Sends bytes to an endpoint, with its input in a header. Returns answers of any status but 401. */
  send(
    endpoint: string,
    input: unknown,
    content: Uint8Array | null,
    headers?: Record<string, string>,
  ): Promise<SourceAnswer>;
};

/** Sends no request yet. */
export function openDropboxAccount(credentials: DropboxCredentials, access: DropboxAccess): DropboxAccount {
  const { name } = credentials;
  async function request(service: typeof DROPBOX_API, endpoint: string, more: Partial<SourceRequest>) {
    const baseUrl = baseUrlOf(access, service);
    for (let isRepeated = false; ; isRepeated = true) {
      const token = await readDropboxToken(credentials, access);
      const url = new URL(`${baseUrl}/2/${endpoint}`);
      const headers = { ...more.headers, authorization: `Bearer ${token}` };
      const answer = await access.get(url, {
        service: "Dropbox",
        baseUrl,
        allowedHosts: [new URL(baseUrl).hostname],
        returnsRedirects: true,
        ...more,
        headers,
      });
      if (answer.status !== 401) return answer;
      // The token may have been revoked before its end.
      forgetAccessToken(keyOf(credentials));
      if (isRepeated) throw explainDropboxRefusal(answer, await answer.text(), name);
      answer.body.destroy();
    }
  }
  return {
    async call(endpoint, input, schema) {
      // Endpoints without input expect the JSON null.
      const content = JSON.stringify(input ?? null);
      const headers = { "content-type": "application/json" };
      const answer = await request(DROPBOX_API, endpoint, { method: "POST", content, headers });
      const body = await answer.text();
      if (answer.status !== 200) throw explainDropboxRefusal(answer, body, name);
      return parseJsonAnswer(body, schema, "Dropbox");
    },
    send(endpoint, input, content, headers = {}) {
      return request(DROPBOX_CONTENT, endpoint, {
        method: "POST",
        headers: {
          ...headers,
          "dropbox-api-arg": toHeader(input),
          ...(content && { "content-type": "application/octet-stream" }),
        },
        ...(content && { content }),
      });
    },
  };
}

/** Returns an access token. Throws ClipmillError "bad_key" if the app or its refresh token was refused. */
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
    const answer = await access.get(new URL(`${baseUrl}/oauth2/token`), {
      service: "Dropbox",
      baseUrl,
      allowedHosts: [new URL(baseUrl).hostname],
      returnsRedirects: true,
      method: "POST",
      content: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const body = await answer.text();
    if (answer.status !== 200) throw explainTokenRefusal(answer, body, name);
    const { access_token: token, expires_in: validSeconds } = parseJsonAnswer(body, tokenSchema, "Dropbox");
    return { token, validSeconds };
  });
}

function keyOf({ settings, secret }: DropboxCredentials): string[] {
  return ["dropbox", settings.app_key, secret.app_secret, secret.refresh_token];
}

/** Headers are ASCII, so other characters are escaped (developers.dropbox.com, "HTTP header-safe JSON"). */
function toHeader(input: unknown): string {
  return JSON.stringify(input).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
