import { S3Client } from "@aws-sdk/client-s3";
import { explainS3Error, unreachable, createS3Retries } from "./s3-errors.ts";
import type { S3Location } from "./s3-location.ts";

export type S3Limits = {
  /** Tries per request, with growing pauses. */
  attempts: number;
  /** From a request's first byte to its response. */
  requestMs: number;
  /** Longest time without a byte in either direction. */
  silenceMs: number;
  /** For a small call with all its retries. */
  callMs: number;
};

export const S3_LIMITS: S3Limits = { attempts: 8, requestMs: 120_000, silenceMs: 30_000, callMs: 60_000 };

/** Each download holds a connection until it is read; the SDK's default of 50 would block other requests. */
const MAX_CONNECTIONS = 1_000;
const CONNECTING_MS = 5_000;

export type S3Store = { client: S3Client; location: S3Location; limits: S3Limits };

export function makeS3Store(location: S3Location, limits: S3Limits): S3Store {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const client = new S3Client({
    region: location.region,
    ...(location.endpoint !== null && { endpoint: location.endpoint, forcePathStyle: true }),
    retryStrategy: createS3Retries(limits.attempts),
    // Requests are signed with their SHA-256 anyway, and few stores besides Amazon's support the newer checksums.
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

export function fullKeyOf({ location }: S3Store, key: string): string {
  return location.prefix === "" ? key : `${location.prefix}/${key}`;
}

/** Limits `act` in total, including retries. Throws the signal's reason on abort, otherwise a ClipmillError. */
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
