import { createReadStream } from "node:fs";
import { Agent, request } from "undici";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { REMEDIES } from "#contract/problems.ts";
import {
  MAX_WAIT_SECONDS,
  REJECTED_HEADER,
  SHA256_HEADER,
  VERSION_HEADER,
  WORKER_PATH,
} from "#contract/workers/worker-protocol.ts";
import { retry } from "#ground/repeat.ts";
import { ServerUnreachable } from "#operations/hosts/contact-host.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";

/** Timeout for requests that only use the server's database. */
const ANSWER_MS = 30_000;
const STALL_MS = 60_000;
/** More than the longest response time, so that a proxy decides when idle connections close. */
const CONNECTIONS = 64;

/** While the server receives too many files. */
const BUSY_PAUSES = { firstMs: 1_000, mostMs: 5_000 };

type Received = { status: number; isRejected: boolean; text: string };

type UploadedFile = { path: string; sizeBytes: number; sha256: string };

type CallOptions = { signal?: AbortSignal | undefined; answerMs?: number };

/** Requests of a worker without the database, with its token. */
export type ServerLine = {
  /** The server's address, without a trailing slash. */
  origin: string;
  headers: Readonly<Record<string, string>>;
  /**
   * `path` is below /worker/v1. Throws the server's ClipmillError, what toError returns without a readable response, and
   * the signal's reason.
   */
  call<Answer>(path: string, body?: object, options?: CallOptions): Promise<Answer>;
  /** Throws like `call`. */
  upload(path: string, file: UploadedFile, signal: AbortSignal): Promise<void>;
  /** Sends a file to another address, without the token. Throws "unavailable", and the signal's reason. */
  uploadTo(
    target: { url: string; headers: Record<string, string> },
    file: UploadedFile,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
};

/** `onRejected` is called when the server rejects the token or the worker's version. */
export function openServerLine(
  { server, token }: { server: string; token: string },
  onRejected: (error: ClipmillError) => void,
): ServerLine {
  const dispatcher = new Agent({ connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}`, [VERSION_HEADER]: VERSION };

  const send = async (
    url: string,
    options: Pick<Parameters<typeof request>[1] & object, "method" | "body"> & {
      headers: Record<string, string>;
      answerMs: number;
      signal: AbortSignal | undefined;
    },
    explain = unreachable,
  ): Promise<Received> => {
    const { signal, answerMs, ...sent } = options;
    try {
      const response = await request(url, {
        ...sent,
        dispatcher,
        headersTimeout: answerMs,
        bodyTimeout: STALL_MS,
        ...(signal && { signal }),
      });
      const isRejected = response.headers[REJECTED_HEADER] !== undefined;
      return { status: response.statusCode, isRejected, text: await response.body.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      throw explain(cause);
    }
  };
  const answerOf = ({ status, isRejected, text }: Received): unknown => {
    const body = readJson(text);
    if (status === 200 && body && "answer" in body) return body.answer;
    const error = toError(status, body);
    if (isRejected) onRejected(error);
    throw error;
  };
  const urlOf = (path: string): string => `${server}${WORKER_PATH}${path}`;
  return {
    origin: server,
    headers,
    async call<Answer>(
      path: string,
      body: object = {},
      { signal, answerMs = ANSWER_MS + MAX_WAIT_SECONDS * 1_000 }: CallOptions = {},
    ) {
      const sent = {
        method: "POST" as const,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      return answerOf(await send(urlOf(path), { ...sent, answerMs, signal })) as Answer;
    },
    async upload(path, file, signal) {
      const put = async (): Promise<void> => {
        const { length, ...sent } = bodyOf(file);
        const all = { ...headers, ...length, [SHA256_HEADER]: file.sha256 };
        answerOf(await send(urlOf(path), { ...sent, headers: all, answerMs: STALL_MS, signal }));
      };
      // Another attempt would make the file again.
      await retry(put, {
        ...BUSY_PAUSES,
        signal,
        onError(error) {
          if (!(error instanceof ServerUnreachable && error.facts["status"] === 429)) throw error;
        },
      });
    },
    async uploadTo({ url, headers: signed }, file, signal) {
      const { length, ...sent } = bodyOf(file);
      const all = { ...signed, ...length };
      const { status } = await send(url, { ...sent, headers: all, answerMs: STALL_MS, signal }, unreachableStorage);
      if (status >= 200 && status < 300) return;
      throw new ClipmillError("unavailable", `The storage rejected a file with status ${status}. Retry later.`);
    },
    close: () => dispatcher.destroy(),
  };
}

function bodyOf({ path, sizeBytes }: UploadedFile) {
  const length = { "content-length": String(sizeBytes), "content-type": "application/octet-stream" };
  return { method: "PUT" as const, body: createReadStream(path), length };
}

type Body = { answer?: unknown; code?: unknown; error?: unknown };

export function readJson(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function unreachableStorage(cause: unknown): ClipmillError {
  return new ClipmillError("unavailable", "The storage could not be reached. Retry later.", { cause });
}

export function unreachable(cause: unknown): ClipmillError {
  return new ServerUnreachable("The server could not be reached. Retry later.", { cause });
}

/** A proxy rejected the request, and would reject it again. Says nothing about a host. */
class ProxyRejects extends ServerUnreachable {
  override readonly code: ErrorCode;

  constructor(status: number) {
    const message =
      status === 413
        ? "The proxy in front of the server rejects requests of this size (status 413). Raise its limit for request bodies."
        : `The proxy in front of the server rejected a request (status ${status}). Check the server's address and the proxy.`;
    super(message, { facts: { status } });
    this.name = "ProxyRejects";
    this.code = status === 413 ? "too_large" : "invalid";
  }
}

/**
 * ServerUnreachable for what a retry can fix: the server's own failures and limits, and an unreadable response of a
 * proxy. "too_large" or "invalid" for a proxy's rejection.
 */
export function toError(status: number, body: Body | null): ClipmillError {
  const { code, error } = body ?? {};
  if (typeof code === "string" && Object.hasOwn(REMEDIES, code) && typeof error === "string") {
    if (!PASSING_CODES.has(code)) return new ClipmillError(code as ErrorCode, error);
  } else if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status)) {
    return new ProxyRejects(status);
  }
  const message = `The server responded with status ${status}. Retry later.`;
  return new ServerUnreachable(message, { facts: { status } });
}

const PASSING_CODES: ReadonlySet<string> = new Set(["unexpected_failure", "starting", "too_many"]);
/** Request timeout, too early, and too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
