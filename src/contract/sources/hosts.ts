/** The outside services that videos depend on. If one is down, Clipmill lets it rest: its videos wait instead of using up attempts. */
import type { ErrorCode } from "../errors.ts";
import { parseAudioLink } from "./links.ts";

/** Display names. */
const HOST_LABELS = {
  "google-drive": "Google Drive",
  instagram: "Instagram",
  openai: "OpenAI",
  storage: "The storage for finished files",
} as const;
export type HostName = keyof typeof HOST_LABELS;

/** A video that has waited for this long fails. */
export const LONGEST_WAIT_HOURS = 24;

/** A host that is currently resting. */
export type RestingHost = {
  host: HostName;
  /** One sentence. */
  reason: string;
  since: string;
  nextTryAt: string;
  /** Videos that wait for it. */
  waitingVideos: number;
};

const HOST_FAULTS: ReadonlySet<ErrorCode> = new Set(["network", "rate_limited", "quota_exceeded", "unavailable"]);

/** Returns true for an error caused by the host rather than by one file. A full bucket counts as the host's error. */
export function isHostFault(host: HostName, code: ErrorCode): boolean {
  return HOST_FAULTS.has(code) || (host === "storage" && code === "no_space");
}

/** Returns why a host's videos wait: the same sentence for all of them. `message` is the original error's. */
export function describeRest(host: HostName, fault: { code: ErrorCode; message: string }): string {
  const label = HOST_LABELS[host];
  if (fault.code === "network") return `${label} is not available.`;
  if (fault.code === "rate_limited") return `${label} is limiting requests.`;
  if (fault.code === "quota_exceeded") return `${label}'s download quota has been reached.`;
  return fault.message;
}

/** Returns the host behind a link, or null for an invalid link or a library file, which is in Clipmill's own storage. */
export function hostOfLink(link: string): HostName | null {
  const source = parseAudioLink(link);
  return source === null || source.host === "library" ? null : source.host;
}
