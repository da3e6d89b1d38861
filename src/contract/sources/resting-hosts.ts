/** Outside services that videos depend on. While one is down, its videos wait without using up attempts. */
import type { ErrorCode } from "../errors.ts";
import type { SourceHostName } from "./link-host.ts";
import { linkHostOf } from "./link-hosts.ts";
import { parseLink } from "./links.ts";

const SERVICE_LABELS = { openai: "OpenAI", storage: "The storage for finished files" } as const;

type Service = keyof typeof SERVICE_LABELS;
export type HostName = Exclude<SourceHostName, "library"> | Service;

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
  const label = isService(host) ? SERVICE_LABELS[host] : linkHostOf(host).label;
  if (fault.code === "network") return `${label} is not available.`;
  if (fault.code === "rate_limited") return `${label} is limiting requests.`;
  if (fault.code === "quota_exceeded") return `${label}'s download quota has been reached.`;
  return fault.message;
}

/** Returns null for an invalid link or a library file, which is in Clipmill's own storage. */
export function hostOfLink(text: string): HostName | null {
  const link = parseLink(text);
  return link === null || link.host === "library" ? null : link.host;
}

function isService(host: HostName): host is Service {
  return Object.hasOwn(SERVICE_LABELS, host);
}
