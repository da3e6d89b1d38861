/**
 * Postiz's public API (docs.postiz.com/public-api and its openapi.json, read 2026-11-23):
 *
 * - The key is the complete `Authorization` header, without "Bearer".
 * - `POST /upload` takes one multipart `file` and returns `id` and `path`, which posts name in `image`.
 * - `POST /posts` makes one post per channel; it has no idempotency key.
 * - Limits, with a 429: older documents and openapi.json state 30 requests an hour, newer ones 90 posts (100 in the
 *   cloud).
 */
import { openAsBlob } from "node:fs";
import { z } from "zod";
import { authorityOf } from "#contract/authority-of.ts";
import type { PostizSettings, SecretOf } from "#contract/connections/connections.ts";
import { POSTIZ } from "#contract/connections/services.ts";
import type { PostChannel } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceResponse, SourceRequest } from "#contract/sources/source-host.ts";
import { parseJsonResponse } from "../../remote-stores/remote-store.ts";
import { createSourceGet } from "../../sources/source-http.ts";

/** Postiz stores the complete video before it responds. */
const STALL_SECONDS = 180;

const integrationsSchema = z.array(
  z.object({ id: z.string(), name: z.string(), identifier: z.string(), disabled: z.boolean().nullish() }),
);
const slotSchema = z.object({ date: z.string() });
const mediaSchema = z.object({ id: z.string(), path: z.string() });
const postsSchema = z.object({
  posts: z.array(
    z.object({
      content: z.string().nullish(),
      publishDate: z.string(),
      integration: z.object({ id: z.string() }),
    }),
  ),
});

type PostizMedia = z.output<typeof mediaSchema>;

export type FoundPost = { channelId: string; atMs: number; text: string };

type NewPost = {
  type: "draft" | "schedule";
  date: string;
  posts: { channelId: string; text: string; media: PostizMedia; settings: Record<string, unknown> }[];
};

/** All functions throw ClipmillError (see `explainPostizError`). */
export type PostizAccount = {
  listChannels(): Promise<(PostChannel & { isDisabled: boolean })[]>;
  /** Returns a channel's next free time, as a Unix time in milliseconds. */
  findSlot(channelId: string): Promise<number>;
  upload(localPath: string, name: string): Promise<PostizMedia>;
  /** Returns the posts within a second of `atMs`. */
  findPosts(atMs: number): Promise<FoundPost[]>;
  create(post: NewPost): Promise<void>;
};

type Access = {
  connection: string;
  settings: Pick<PostizSettings, "endpoint">;
  secret: SecretOf["postiz"];
  /** True for a private address that the environment allows. */
  isTrusted: boolean;
};

/** Sends no request. `signal` aborts all later ones. */
export function openPostizAccount(
  { connection, settings, secret, isTrusted }: Access,
  signal: AbortSignal,
): PostizAccount {
  const address = settings.endpoint ?? POSTIZ;
  const get = createSourceGet({ signal, stallSeconds: STALL_SECONDS });

  async function call<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    more: Partial<SourceRequest> = {},
  ): Promise<z.output<Schema>> {
    const url = new URL(`${address}/public/v1/${path}`);
    const response = await get(url, {
      service: "Postiz",
      baseUrl: isTrusted ? address : null,
      allowedHosts: [url.hostname],
      returnsRedirects: true,
      headers: { authorization: secret.api_key },
      ...more,
    }).catch((error: unknown) => {
      throw error instanceof ClipmillError && error.code === "bad_link" ? notPublic(connection, address) : error;
    });
    const body = await response.text();
    if (response.status !== 200 && response.status !== 201) throw explainPostizError(response, body, connection);
    return parseJsonResponse(body, schema, "Postiz");
  }

  return {
    async listChannels() {
      const found = await call("integrations", integrationsSchema);
      return found.map(({ id, name, identifier: service, disabled }) => ({
        id,
        name,
        service,
        isDisabled: disabled === true,
      }));
    },
    async findSlot(channelId) {
      const { date } = await call(`find-slot/${encodeURIComponent(channelId)}`, slotSchema);
      const atMs = readUtc(date);
      if (Number.isNaN(atMs)) throw new ClipmillError("network", "Postiz returned an unreadable time. Retry later.");
      return atMs;
    },
    async upload(localPath, name) {
      // Streamed from disk during the upload.
      const content = await openAsBlob(localPath, { type: "video/mp4" });
      return await call("upload", mediaSchema, { file: { name, content } });
    },
    async findPosts(atMs) {
      const range = new URLSearchParams({
        startDate: new Date(atMs - 1000).toISOString(),
        endDate: new Date(atMs + 1000).toISOString(),
      });
      const { posts } = await call(`posts?${range}`, postsSchema);
      return posts.map(({ content, publishDate, integration }) => ({
        channelId: integration.id,
        atMs: readUtc(publishDate),
        text: content ?? "",
      }));
    },
    async create({ type, date, posts }) {
      await call("posts", z.array(z.unknown()), {
        json: {
          ...{ type, date, shortLink: false, tags: [] },
          posts: posts.map(({ channelId, text, media, settings }) => ({
            integration: { id: channelId },
            value: [{ content: text, image: [media] }],
            settings,
          })),
        },
      });
    },
  };
}

/** Postiz's times are UTC, but may lack a time zone. */
function readUtc(date: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}Z`);
}

function notPublic(connection: string, address: string): ClipmillError {
  return new ClipmillError(
    "bad_link",
    `The address of the connection "${connection}" is not public, so nothing was sent to it. ` +
      `ALLOW_PRIVATE_SOURCES can allow ${authorityOf(address)}.`,
  );
}

const MAX_REASON = 300;
/** For a 429 without a time. Postiz's limit is per hour. */
const USUAL_WAIT_SECONDS = 10 * 60;
/** Larger numbers are Unix times, smaller ones seconds. */
const FIRST_TIME = 1_000_000_000;

function explainPostizError(
  response: Pick<SourceResponse, "status" | "headers" | "retryAfterSeconds">,
  body: string,
  connection: string,
): ClipmillError {
  const { status } = response;
  const facts = { status };
  if (status === 401 || status === 403) {
    return new ClipmillError("bad_key", `Postiz rejected the API key of the connection "${connection}".`, { facts });
  }
  if (status === 402) {
    return new ClipmillError(
      "no_space",
      `Postiz rejected the post: the plan of the connection "${connection}" allows no more this month.`,
      { facts },
    );
  }
  if (status === 429) {
    const message = `Postiz is limiting the requests of the connection "${connection}".`;
    return new ClipmillError("rate_limited", message, { facts, retryAfterSeconds: waitOf(response) });
  }
  if (status === 404 || (status >= 300 && status < 400)) {
    return new ClipmillError(
      "source_not_found",
      `Postiz's API was not found at the address of the connection "${connection}". A self-hosted one is usually at /api.`,
      { facts },
    );
  }
  if (status === 413) return new ClipmillError("too_large", "This file is too large for Postiz.", { facts });
  if (status < 500) {
    const reason = reasonOf(body);
    return new ClipmillError("invalid", reason === null ? "Postiz rejected the post." : `Postiz: ${reason}`, { facts });
  }
  const retryAfterSeconds = response.retryAfterSeconds;
  return new ClipmillError("unavailable", "Postiz is having problems right now. Retry later.", {
    facts,
    retryAfterSeconds,
  });
}

/** Postiz's documents disagree on the rate-limit headers. */
function waitOf({ headers, retryAfterSeconds }: Pick<SourceResponse, "headers" | "retryAfterSeconds">): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  if (!Number.isFinite(reset) || reset <= 0) return USUAL_WAIT_SECONDS;
  return reset < FIRST_TIME ? Math.ceil(reset) : Math.max(1, Math.ceil(reset - Date.now() / 1000));
}

/** Postiz responds with `{"msg": "…"}` or `{"message": …}`, a string or a list. */
function reasonOf(body: string): string | null {
  try {
    const { msg, message } = JSON.parse(body) as { msg?: unknown; message?: unknown };
    const [first] = [msg ?? message].flat();
    if (typeof first !== "string") return null;
    // External text: control characters removed, length limited.
    return (
      first
        .replaceAll(/\p{C}+/gu, " ")
        .trim()
        .slice(0, MAX_REASON) || null
    );
  } catch {
    return null;
  }
}
