/**
 * What is published to the redirector: one document of JSON lines, a header and then a line for each route, so that a
 * large one is read piece by piece, without holding up redirects. Also the rules that say which address is which route.
 */
import { CLOAK_LIMITS, isWebAddress, toDomainName } from "./cloak.ts";
import { ClipmillError } from "../errors.ts";

export const PUBLISH_LIMITS = { routes: 100_000, bytes: 64 * 1024 * 1024 } as const;

/** The redirector's own addresses, on any host name. */
export const REDIRECTOR_PATHS = {
  publish: "/_clipmill/publish",
  report: "/_clipmill/report",
  ask: "/_clipmill/ask",
  metrics: "/_clipmill/metrics",
} as const;

/** The slug of a domain's own address. */
const ROOT_SLUG = "__root__";
/** The first part of paths that belong to the redirector itself. */
const OWN_PREFIX = "_clipmill";

/** A route as it is published: active, of an active domain. */
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
  /** How many lines follow. */
  routes: number;
  /** SHA-256 of all that follows the header's line, in hexadecimal. */
  digest: string;
};

/** The redirector's answer to a publish: what it serves now. */
export type PublishReceipt = { version: number; digest: string; routes: number };

/** What the redirector says about itself when it is asked, in a signed request. */
export type RedirectorReport = {
  service: "clipmill-redirector";
  /** 0 and null while nothing was ever published to it. */
  version: number;
  digest: string | null;
  routes: number;
  /** Names its counts: a redirector that lost them counts from 0 under another name. */
  source: string;
  /** Redirects by day of UTC and id of the route, from the day that was asked for on. */
  counts: Record<string, Record<string, number>>;
  health: { routeId: string; state: "up" | "down" | "unknown"; checkedAt: string | null; reason: string | null }[];
  /** Names this health; who has it already is told so by `isHealthKnown`, and `health` is empty. Not told by older ones. */
  healthMark?: string | undefined;
  isHealthKnown?: boolean | undefined;
};

/** Body of the request for a report. */
export type ReportRequest = {
  type: "clipmill.report";
  fromDay: string;
  /** The mark of the health that the asker has. */
  healthMark?: string | undefined;
};

/** The lines of the routes, each ended; the digest is made of this very text. */
export function writeRouteLines(routes: PublishedRoute[]): string {
  return routes
    .map(({ id, domain, slug, primary, fallback }) => `${JSON.stringify({ id, domain, slug, primary, fallback })}\n`)
    .join("");
}

/** Throws ClipmillError "invalid" when the line is not a header of this format. */
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

/** Throws ClipmillError "invalid" when the line is not a route that could be served. By hand: there may be 100,000. */
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

/** Text of a document is cut into its lines, without the ends. */
export function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    if (end === -1) throw malformed("its last line has no line break");
    yield text.slice(from, end);
    from = end + 1;
  }
}

/** True for a slug whose address a browser could ask for, and which is not one of the redirector's own. */
function isSlug(slug: string): boolean {
  return slug !== "" && slug.length <= CLOAK_LIMITS.slugCharacters && whyNoSlug(slug) === null;
}

/** What is wrong with a slug, as a sentence, or null. */
export function whyNoSlug(slug: string): string | null {
  // What would end the path of an address could never be asked for.
  if (/[\s?#\\\p{Cc}]/u.test(slug)) return "Slugs can't contain spaces, question marks or hash signs";
  const key = slugKey(slug);
  const parts = key.split("/");
  if (parts.includes(".") || parts.includes("..")) {
    return "Slugs can't have a segment of only dots, because browsers remove it";
  }
  if (parts[0] === OWN_PREFIX) return "Slugs that start with _clipmill are reserved";
  return slug !== ROOT_SLUG && key === "" ? "Enter a slug" : null;
}

/**
 * The path of a request as routes are found by: without slashes around it, percent-encoding read. Case matters, as in
 * any path. "" is the domain itself.
 */
export function pathKey(path: string): string {
  let from = 0;
  let to = path.length;
  while (from < to && path.charCodeAt(from) === SLASH) from += 1;
  while (to > from && path.charCodeAt(to - 1) === SLASH) to -= 1;
  const bare = from === 0 && to === path.length ? path : path.slice(from, to);
  return bare.includes("%") ? decodePath(bare) : bare;
}

const SLASH = 47;

/** The path by which a slug is found. */
export function slugKey(slug: string): string {
  return slug === ROOT_SLUG ? "" : pathKey(slug);
}

/** What is no percent-encoding stays as it is. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A route's public address. */
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
