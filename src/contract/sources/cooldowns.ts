/** While such a service is down, its videos wait without using up attempts. */
import { z } from "zod";
import { component, keysOf, named } from "../component.ts";
import type { ErrorCode } from "../errors.ts";
import { MODEL_SERVERS } from "../settings/models.ts";
import { SourceHostName, type SourceLink } from "./link-host.ts";
import { linkHostOf } from "./link-hosts.ts";
import { parseLink } from "./links.ts";

const SERVICE_LABELS = {
  openai: "OpenAI",
  ...MODEL_SERVERS,
  storage: "The storage for finished files",
} as const;

/** Prefix of a destination's host name; each has its own cooldown. */
const DESTINATION = "destination";

type Service = keyof typeof SERVICE_LABELS;
export const HostName = named(
  "HostName",
  "A source host, a `<host>:<part>` down by itself, another service, or a destination.",
  z.union([
    SourceHostName.exclude(["library"]),
    keysOf(SERVICE_LABELS),
    z.templateLiteral([SourceHostName, ":", z.string()]),
    z.templateLiteral([DESTINATION, ":", z.string()]),
  ]),
);
export type HostName = z.infer<typeof HostName>;

/** A video that waits longer fails. */
export const MAX_WAIT_HOURS = 24;

export const HostCooldown = component("HostCooldown", () => ({
  host: HostName,
  reason: z.string(),
  since: z.string(),
  nextTryAt: z.string(),
  waitingVideos: z.number(),
}));
export type HostCooldown = z.infer<typeof HostCooldown>;

const HOST_FAILURES: ReadonlySet<ErrorCode> = new Set(["network", "rate_limited", "quota_exceeded", "unavailable"]);

/** An error of the host, not of a file. A full bucket is one. */
export function isHostFailure(host: HostName, code: ErrorCode): boolean {
  return HOST_FAILURES.has(code) || (host === "storage" && code === "no_space");
}

/** `message` is the original error's. */
export function describeCooldown(host: HostName, error: { code: ErrorCode; message: string }): string {
  // Sentences about a destination name it.
  if (host.startsWith(`${DESTINATION}:`)) return error.message;
  const label = labelOf(host);
  if (error.code === "network") return `${label} is not available.`;
  if (error.code === "rate_limited") return `${label} is limiting requests.`;
  if (error.code === "quota_exceeded") return `${label}'s download quota has been reached.`;
  return error.message;
}

/** Returns null for an invalid link or a library file. */
export function hostOfLink(text: string): HostName | null {
  const link = parseLink(text);
  return link && cooldownHostOf(link);
}

/** Returns null for a library file. */
export function cooldownHostOf(link: SourceLink): HostName | null {
  if (link.host === "library") return null;
  const part = linkHostOf(link.host).partOf?.(link);
  return part === undefined ? link.host : `${link.host}:${part}`;
}

export function destinationHost(id: string): HostName {
  return `${DESTINATION}:${id}`;
}

function labelOf(host: HostName): string {
  if (isService(host)) return SERVICE_LABELS[host];
  const [name, part] = host.split(/:(.*)/s) as [SourceHostName, string?];
  const links = linkHostOf(name);
  return part === undefined ? links.label : (links.labelOfPart?.(part) ?? part);
}

function isService(host: HostName): host is Service {
  return Object.hasOwn(SERVICE_LABELS, host);
}
