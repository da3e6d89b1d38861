import { setTimeout as sleep } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { explainNetworkError, guardedFetch, type GuardedAnswer, type GuardedRequest } from "../guarded-fetch.ts";

/** Access to Google Drive. */
export type DriveAccess = {
  /** Null for the public download address. */
  apiKey: string | null;
  apiBaseUrl: string;
  downloadBaseUrl: string;
  signal: AbortSignal;
  /** Longest time without a byte, in seconds; default 30. */
  stallSeconds?: number;
};

/** Converts an unusable response to an error. */
export type ExplainRefusal = (status: number, body: string, retryAfterSeconds: number | null) => ClipmillError;

export const SIGN_IN_HOST = "accounts.google.com";
const SERVICE = "Google Drive";
const GOOGLE_HOSTS = [
  "drive.google.com",
  "docs.google.com",
  "www.googleapis.com",
  "content.googleapis.com",
  "*.usercontent.google.com",
  "*.googleusercontent.com",
];
const STALL_SECONDS = 30;
/** Longer Retry-After delays are left to the queue. */
const MAX_WAIT_SECONDS = 5;
const MAX_WAITS = 3;
const MAX_PAGE_BYTES = 512 * 1024;

/** Sends one GET and waits out short delays that Google requests (429, 503), at most three times. */
export async function requestDrive(
  url: URL,
  access: DriveAccess,
  baseUrl: string,
  headers: Record<string, string>,
): Promise<GuardedAnswer> {
  for (let waits = 0; ; waits += 1) {
    const answer = await guardedFetch(url, { ...guardOf(access), baseUrl, headers });
    const seconds = retryAfterSecondsOf(answer);
    const mayWait = (answer.status === 429 || answer.status === 503) && seconds !== null;
    if (!mayWait || seconds > MAX_WAIT_SECONDS || waits === MAX_WAITS) return answer;
    answer.body.destroy();
    try {
      await sleep(seconds * 1000, undefined, { signal: access.signal });
    } catch (error) {
      throw explainDriveNetworkError(error, access);
    }
  }
}

/** Returns the first 512 KiB of the body as text. Throws like guardedFetch. */
export async function readText(answer: GuardedAnswer, access: DriveAccess): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_PAGE_BYTES) break;
    }
  } catch (error) {
    throw explainDriveNetworkError(error, access);
  }
  return Buffer.concat(chunks).toString("utf8", 0, MAX_PAGE_BYTES);
}

/**
 * Converts an error to a ClipmillError: "cancelled" after an abort, "bad_link" for a forbidden address, otherwise
 * "network", also after a timeout. Rethrows an error without a code.
 */
export function explainDriveNetworkError(error: unknown, access: DriveAccess): ClipmillError {
  return explainNetworkError(error, { service: SERVICE, signal: access.signal });
}

/** Parses Retry-After, a number or a date, to seconds; null if absent. */
export function retryAfterSecondsOf(answer: Pick<GuardedAnswer, "headers">): number | null {
  const value = answer.headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  // Prefers Google's clock, since ours may be wrong.
  const now = Date.parse(answer.headers["date"] ?? "") || Date.now();
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

function guardOf(access: DriveAccess): Omit<GuardedRequest, "baseUrl"> {
  return {
    service: SERVICE,
    allowedHosts: GOOGLE_HOSTS,
    stopAtHost: SIGN_IN_HOST,
    signal: access.signal,
    stallSeconds: access.stallSeconds ?? STALL_SECONDS,
  };
}
