/**
 * The document sent to the redirector: JSON lines (header, then routes), parsed incrementally so that large ones do not
 * delay redirects.
 */
import { CLOAK_LIMITS, isWebAddress, toDomainName } from "./cloak.ts";
import { ClipmillError } from "../errors.ts";

export const PUBLISH_LIMITS = { routes: 100_000, bytes: 64 * 1024 * 1024 } as const;

/** Served on any host name. */
export const REDIRECTOR_PATHS = {
  publish: "/_clipmill/publish",
  report: "/_clipmill/report",
  ask: "/_clipmill/ask",
  metrics: "/_clipmill/metrics",
} as const;

const ROOT_SLUG = "__root__";
const OWN_PREFIX = "_clipmill";

/** Active, on an active domain. */
export type PublishedRoute = {
  id: string;
  domain: string;
  slug: string;
  primary: string;
  fallback: string | null;
};

export type PublishedHeader = {
  type: "clipmill.config";
  format: 1;
  version: number;
  publishedAt: string;
  routes: number;
  /** SHA-256 of everything after the header line, in hex. */
  digest: string;
};

export type PublishReceipt = { version: number; digest: string; routes: number };

export type RedirectorReport = {
  service: "clipmill-redirector";
  /** 0, with a null digest, before the first publish. */
  version: number;
  digest: string | null;
  routes: number;
  /** A redirector that loses its counts restarts from 0 under a new name. */
  source: string;
  /** By UTC day and route id, from the requested day on. */
  counts: Record<string, Record<string, number>>;
  health: { routeId: string; state: "up" | "down" | "unknown"; checkedAt: string | null; reason: string | null }[];
  /**
   * Identifies this health. If the requester has it, `isHealthKnown` is true and `health` empty. Absent in older
   * versions.
   */
  healthMark?: string | undefined;
  isHealthKnown?: boolean | undefined;
};

export type ReportRequest = {
  type: "clipmill.report";
  fromDay: string;
  healthMark?: string | undefined;
};

/** Returns the exact text that the digest covers, each line newline-terminated. */
export function writeRouteLines(routes: PublishedRoute[]): string {
  return routes
    .map(({ id, domain, slug, primary, fallback }) => `${JSON.stringify({ id, domain, slug, primary, fallback })}\n`)
    .join("");
}

/** Throws ClipmillError "invalid" if the line is no header of this format, "too_large" for too many routes. */
export function parseHeader(line: string): PublishedHeader {
  const header = parseLine(line) as Partial<PublishedHeader> | null;
  const isHeader =
    header !== null &&
    typeof header === "object" &&
    header.type === "clipmill.config" &&
    header.format === 1 &&
    isCount(header.version) &&
    header.version > 0 &&
    isCount(header.routes) &&
    typeof header.publishedAt === "string" &&
    typeof header.digest === "string" &&
    /^[0-9a-f]{64}$/.test(header.digest);
  if (!isHeader) throw malformed("its first line is not a header that this version supports");
  if (header.routes! > PUBLISH_LIMITS.routes) {
    throw new ClipmillError("too_large", `At most ${PUBLISH_LIMITS.routes} routes can be published.`);
  }
  return header as PublishedHeader;
}

/** Throws ClipmillError "invalid". Hand-written for speed: there may be 100,000 routes. */
export function parseRouteLine(line: string): PublishedRoute {
  const route = parseLine(line) as Partial<PublishedRoute> | null;
  if (route === null || typeof route !== "object") throw malformed("a line is not a route");
  const { id, domain, slug, primary, fallback } = route;
  if (typeof id !== "string" || !/^[0-9a-f-]{36}$/.test(id)) throw malformed("a route has no valid ID");
  if (typeof domain !== "string" || toDomainName(domain) !== domain) throw malformed("a domain is not valid");
  if (typeof slug !== "string" || !isSlug(slug)) throw malformed("a slug is not valid");
  if (!isTarget(primary)) throw malformed("a Primary URL is not valid");
  if (fallback !== null && !isTarget(fallback)) throw malformed("a Fallback URL is not valid");
  return { id, domain, slug, primary, fallback };
}

/** Yields lines without newlines. Throws ClipmillError "invalid" if the last has none. */
export function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    if (end === -1) throw malformed("its last line has no line break");
    yield text.slice(from, end);
    from = end + 1;
  }
}

function isSlug(slug: string): boolean {
  return slug !== "" && slug.length <= CLOAK_LIMITS.slugCharacters && slugProblem(slug) === null;
}

/** Returns a sentence, or null. */
export function slugProblem(slug: string): string | null {
  // These end a URL's path, so the slug would be unreachable.
  if (/[\s?#\\\p{Cc}]/u.test(slug)) return "Slugs can't contain spaces, question marks or hash signs";
  const key = slugKey(slug);
  const parts = key.split("/");
  if (parts.includes(".") || parts.includes("..")) {
    return "Slugs can't have a segment of only dots, because browsers remove it";
  }
  if (parts[0] === OWN_PREFIX) return "Slugs that start with _clipmill are reserved";
  return slug !== ROOT_SLUG && key === "" ? "Enter a slug" : null;
}

/** Returns a path's lookup key: no surrounding slashes, percent-decoded, case-sensitive; "" for the domain itself. */
export function pathKey(path: string): string {
  let from = 0;
  let to = path.length;
  while (from < to && path.charCodeAt(from) === SLASH) from += 1;
  while (to > from && path.charCodeAt(to - 1) === SLASH) to -= 1;
  const bare = from === 0 && to === path.length ? path : path.slice(from, to);
  return bare.includes("%") ? decodePath(bare) : bare;
}

const SLASH = 47;

/** Returns the `pathKey` of requests for this slug. Two slugs of a domain with the same key conflict. */
export function slugKey(slug: string): string {
  return slug === ROOT_SLUG ? "" : pathKey(slug);
}

/** Returns malformed percent-encoding unchanged. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The slug is as saved, not percent-encoded. */
export function publicAddress(route: Pick<PublishedRoute, "domain" | "slug">): string {
  return `https://${route.domain}/${route.slug === ROOT_SLUG ? "" : route.slug}`;
}

function isTarget(url: unknown): url is string {
  return typeof url === "string" && url.length <= CLOAK_LIMITS.urlCharacters && isWebAddress(url);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ClipmillError("invalid", "The document is not valid: a line is not JSON.", { cause });
  }
}

function malformed(why: string): ClipmillError {
  return new ClipmillError("invalid", `The document is not valid: ${why}.`);
}
