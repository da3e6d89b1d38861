/** The line to an object store: its client, where it is, and how long anything may take. */
import { S3Client } from "@aws-sdk/client-s3";
import { explainS3Error, unreachable } from "./s3-errors.ts";
import type { S3Location } from "./s3-location.ts";
import { createS3Retries } from "./s3-retries.ts";

export type S3Limits = {
  /** Tries of one request, with growing pauses between them. */
  attempts: number;
  /** Until a request is answered, from its first byte. */
  requestMs: number;
  /** Without a byte in either direction. */
  silenceMs: number;
  /** All tries of a small call together. */
  callMs: number;
};

export const S3_LIMITS: S3Limits = { attempts: 8, requestMs: 120_000, silenceMs: 30_000, callMs: 60_000 };

/** Downloads hold a connection each, as long as their readers take; the SDK's 50 would hold up everybody else. */
const MOST_CONNECTIONS = 1_000;
const CONNECTING_MS = 5_000;

export type S3Store = { client: S3Client; location: S3Location; limits: S3Limits };

/** Opens nothing yet: the credentials and connections are looked for with the first request. */
export function makeS3Store(location: S3Location, limits: S3Limits): S3Store {
  const agent = { keepAlive: true, maxSockets: MOST_CONNECTIONS };
  const client = new S3Client({
    region: location.region,
    ...(location.endpoint !== null && { endpoint: location.endpoint, forcePathStyle: true }),
    retryStrategy: createS3Retries(limits.attempts),
    // What is sent is signed with its SHA-256 anyhow, and few stores besides Amazon's know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECTING_MS,
      requestTimeout: limits.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: limits.silenceMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, location, limits };
}

/** What an S3 key is in the bucket, for a key of storage. */
export function fullKeyOf({ location }: S3Store, key: string): string {
  return location.prefix === "" ? key : `${location.prefix}/${key}`;
}

/**
 * Runs requests that may take `limitMs` together, retries included. Throws the caller's own reason when `signal` ends it,
 * and a ClipmillError for what the store did.
 */
export async function withinLimit<Result>(
  { location }: S3Store,
  { key, limitMs, signal }: { key: string | null; limitMs: number; signal?: AbortSignal | undefined },
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await act(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.signal.aborted) throw unreachable(location, { key, limitMs });
    throw explainS3Error(error, location, key);
  } finally {
    clearTimeout(timer);
  }
}
