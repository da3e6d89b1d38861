import { setTimeout as sleep } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { explainNetworkError, guardedFetch, type GuardedAnswer, type GuardedRequest } from "../guarded-fetch.ts";

/** How to reach Google Drive. */
export type DriveAccess = {
  /** The saved key, or null for the public download address. */
  apiKey: string | null;
  apiBaseUrl: string;
  downloadBaseUrl: string;
  signal: AbortSignal;
  /** The longest silence, in seconds (30 when absent). */
  stallSeconds?: number;
};

/** Turns an answer that is not what was asked for into an error. */
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
/** What Google asks to wait is waited in place up to this long; longer waits are the queue's. */
const LONGEST_WAIT_SECONDS = 5;
const MOST_WAITS = 3;
const LONGEST_PAGE_BYTES = 512 * 1024;

/** The answer to one GET; short waits that Google asks for (429, 503) are waited out here, three times at most. */
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
    if (!mayWait || seconds > LONGEST_WAIT_SECONDS || waits === MOST_WAITS) return answer;
    answer.body.destroy();
    try {
      await sleep(seconds * 1000, undefined, { signal: access.signal });
    } catch (error) {
      throw explainDriveNetworkError(error, access);
    }
  }
}

/** The body as text: its first 512 KiB. Throws as guardedFetch does. */
export async function readText(answer: GuardedAnswer, access: DriveAccess): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= LONGEST_PAGE_BYTES) break;
    }
  } catch (error) {
    throw explainDriveNetworkError(error, access);
  }
  return Buffer.concat(chunks).toString("utf8", 0, LONGEST_PAGE_BYTES);
}

/** A failed connection to Google Drive as a ClipmillError. */
export function explainDriveNetworkError(error: unknown, access: DriveAccess): ClipmillError {
  return explainNetworkError(error, { service: SERVICE, signal: access.signal });
}

/** Seconds of a Retry-After header, which may be a number or a date; null without one. */
export function retryAfterSecondsOf(answer: Pick<GuardedAnswer, "headers">): number | null {
  const value = answer.headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  // By Google's own clock: ours may be wrong.
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
