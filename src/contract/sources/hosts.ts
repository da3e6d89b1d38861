/** Outside services that videos depend on. While one is down, its videos wait without using up attempts. */
import type { ErrorCode } from "../errors.ts";
import { parseAudioLink } from "./links.ts";

const HOST_LABELS = {
  "google-drive": "Google Drive",
  instagram: "Instagram",
  openai: "OpenAI",
  storage: "The storage for finished files",
} as const;
export type HostName = keyof typeof HOST_LABELS;

/** A video that waits longer fails. */
export const MAX_WAIT_HOURS = 24;

export type RestingHost = {
  host: HostName;
  /** One sentence. */
  reason: string;
  since: string;
  nextTryAt: string;
  waitingVideos: number;
};

const HOST_FAULTS: ReadonlySet<ErrorCode> = new Set(["network", "rate_limited", "quota_exceeded", "unavailable"]);

/** Returns true for errors of the host rather than of a single file. A full bucket counts as the host's error. */
export function isHostFault(host: HostName, code: ErrorCode): boolean {
  return HOST_FAULTS.has(code) || (host === "storage" && code === "no_space");
}

/** Returns one sentence for all waiting videos. `message` is that of the original error. */
export function describeRest(host: HostName, fault: { code: ErrorCode; message: string }): string {
  const label = HOST_LABELS[host];
  if (fault.code === "network") return `${label} is not available.`;
  if (fault.code === "rate_limited") return `${label} is limiting requests.`;
  if (fault.code === "quota_exceeded") return `${label}'s download quota has been reached.`;
  return fault.message;
}

/** Returns null for an invalid link or a library file, which is in Clipmill's own storage. */
export function hostOfLink(link: string): HostName | null {
  const source = parseAudioLink(link);
  return source === null || source.host === "library" ? null : source.host;
}
