import { setTimeout as sleep } from "node:timers/promises";
import type { SourceAnswer, SourceGet, SourceRequest } from "#contract/sources/source-host.ts";
import { fileNameOf } from "../content-disposition.ts";
import { explainNetworkError, guardedFetch, type GuardedAnswer, redirectTarget } from "../guarded-fetch.ts";

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
      const answer = await guardedFetch(url, { ...request, signal, stallSeconds });
      const seconds = retryAfterSecondsOf(answer);
      const mayWait = (answer.status === 429 || answer.status === 503) && seconds !== null;
      if (!mayWait || seconds > MAX_WAIT_SECONDS || waits === MAX_WAITS) return toSourceAnswer(answer, request, signal);
      answer.body.destroy();
      try {
        await sleep(seconds * 1000, undefined, { signal });
      } catch (error) {
        throw explainNetworkError(error, { service: request.service, signal });
      }
    }
  };
}

function toSourceAnswer(answer: GuardedAnswer, { service }: SourceRequest, signal: AbortSignal): SourceAnswer {
  const { status, headers, body, url } = answer;
  const length = Number(headers["content-length"]);
  return {
    status,
    headers,
    url,
    body,
    fileName: fileNameOf(headers["content-disposition"]),
    contentLength: headers["content-length"] !== undefined && Number.isSafeInteger(length) ? length : null,
    retryAfterSeconds: retryAfterSecondsOf(answer),
    redirectTarget: redirectTarget(answer),
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
export function retryAfterSecondsOf(answer: Pick<GuardedAnswer, "headers">): number | null {
  const value = answer.headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  // Uses the host's clock if it sends one, since the local clock may be wrong.
  const now = Date.parse(answer.headers["date"] ?? "") || Date.now();
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
