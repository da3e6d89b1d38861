import type { FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceResponse, SourceGet, SourceRequest } from "#contract/sources/source-host.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { fileNameOf } from "../content-disposition.ts";
import { explainNetworkError, type GuardedResponse, guardedFetch, redirectTarget } from "../guarded-fetch.ts";

const STALL_SECONDS = 30;
/** Leaves longer Retry-After delays to the queue. */
const MAX_WAIT_SECONDS = 5;
const MAX_WAITS = 3;
const MAX_TEXT_BYTES = 512 * 1024;

export function createSourceGet({
  signal,
  stallSeconds = STALL_SECONDS,
}: {
  signal: AbortSignal;
  stallSeconds?: number;
}): SourceGet {
  return async (url, request) => {
    for (let waits = 0; ; waits += 1) {
      const response = await guardedFetch(url, { ...request, signal, stallSeconds });
      const seconds = retryAfterSecondsOf(response);
      const mayWait = (response.status === 429 || response.status === 503) && seconds !== null;
      if (!mayWait || seconds > MAX_WAIT_SECONDS || waits === MAX_WAITS)
        return toSourceResponse(response, request, signal);
      response.body.destroy();
      try {
        await sleep(seconds * 1000, undefined, { signal });
      } catch (error) {
        throw explainNetworkError(error, { service: request.service, signal });
      }
    }
  };
}

function toSourceResponse(response: GuardedResponse, { service }: SourceRequest, signal: AbortSignal): SourceResponse {
  const { status, headers, body, url } = response;
  const length = Number(headers["content-length"]);
  return {
    status,
    headers,
    url,
    body,
    fileName: fileNameOf(headers["content-disposition"]),
    contentLength: headers["content-length"] !== undefined && Number.isSafeInteger(length) ? length : null,
    retryAfterSeconds: retryAfterSecondsOf(response),
    redirectTarget: redirectTarget(response),
    async text() {
      try {
        return await readText(body as AsyncIterable<Buffer>);
      } catch (error) {
        throw explainNetworkError(error, { service, signal });
      }
    },
  };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, MAX_TEXT_BYTES);
}

/** Parses seconds or a date. Returns seconds, or null if absent. */
export function retryAfterSecondsOf(response: Pick<GuardedResponse, "headers">): number | null {
  const value = response.headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  // Uses the host's clock if it sends one, since the local clock may be wrong.
  const now = Date.parse(response.headers["date"] ?? "") || Date.now();
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

type Receiving = {
  service: string;
  signal: AbortSignal;
  /** In `file`, in bytes. */
  position: number;
  atMostBytes: number;
};

/**
 * Writes the first `atMostBytes` to `file`, closes the connection if more follow, and returns the number of bytes.
 * Throws ClipmillError "incomplete" for an interrupted transfer, "network" for a stalled one, "no_space" and
 * "cancelled".
 */
export async function receiveRange(response: SourceResponse, file: FileHandle, receiving: Receiving): Promise<number> {
  const { position, atMostBytes } = receiving;
  let received = 0;
  try {
    for await (const chunk of bodyOf(response, receiving)) {
      const wanted = Math.min(chunk.length, atMostBytes - received);
      await file.write(chunk, 0, wanted, position + received);
      received += wanted;
      if (received === atMostBytes) break;
    }
    return received;
  } catch (error) {
    throw explainFullDisk(error);
  } finally {
    response.body.destroy();
  }
}

async function* bodyOf(response: SourceResponse, { service, signal }: Receiving): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body;
  } catch (error) {
    if (signal.aborted || hasCode(error, "UND_ERR_BODY_TIMEOUT")) throw explainNetworkError(error, { service, signal });
    throw incomplete(service);
  }
}

export function incomplete(service: string): ClipmillError {
  return new ClipmillError("incomplete", `${service} sent only part of this file. Retry later.`);
}
