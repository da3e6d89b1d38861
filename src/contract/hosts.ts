/** The outside services that videos depend on. One that is away rests: its videos wait instead of using up their attempts. */
import type { ErrorCode } from "./errors.ts";
import { parseAudioLink } from "./links.ts";

/** What each is called on screen. */
const HOST_LABELS = {
  "google-drive": "Google Drive",
  instagram: "Instagram",
  openai: "OpenAI",
  storage: "The storage for finished files",
} as const;
export type HostName = keyof typeof HOST_LABELS;

/** A video that has waited for this long fails. */
export const LONGEST_WAIT_HOURS = 24;

/** A host that rests now. */
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

/** True for a fault that says something about the host rather than about one file. A full bucket is the bucket's fault. */
export function isHostFault(host: HostName, code: ErrorCode): boolean {
  return HOST_FAULTS.has(code) || (host === "storage" && code === "no_space");
}

/** Why the videos of a host wait: the same sentence for all of them. `message` is the fault's own. */
export function describeRest(host: HostName, fault: { code: ErrorCode; message: string }): string {
  const label = HOST_LABELS[host];
  if (fault.code === "network") return `${label} is not available.`;
  if (fault.code === "rate_limited") return `${label} is limiting requests.`;
  if (fault.code === "quota_exceeded") return `The download quota of ${label} is used up.`;
  return fault.message;
}

/** The host behind a link. Null for the library, whose files are in our own storage, and for a broken link. */
export function hostOfLink(link: string): HostName | null {
  const source = parseAudioLink(link);
  return source === null || source.host === "library" ? null : source.host;
}
