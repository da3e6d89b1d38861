/**
 * Files shared by a Dropbox link. `dl=1` downloads them (help.dropbox.com/share/force-download). It redirects to a new
 * address of dl.dropboxusercontent.com for each request; an error is a page of www.dropbox.com, often with status 200
 * (measurements of 2026-10-08, published by the Vibe player's authors).
 */
import { ClipmillError } from "../../errors.ts";
import { downloadDirectly, emptyFile, isEmpty, isPage, lastPartOf } from "../direct-download.ts";
import type { LinkHost, SourceLink } from "../link-host.ts";
import { isPlainHttps } from "../link-host.ts";
import { rangeHeaders } from "../ranges.ts";
import { baseUrlOf, type ByteRange, type SourceAccess, type SourceAnswer, type SourceHost } from "../source-host.ts";

const DROPBOX = { variable: "DROPBOX_BASE_URL", defaultUrl: "https://www.dropbox.com" };

const DOMAINS = ["www.dropbox.com", "dropbox.com", "dl.dropbox.com", "dl.dropboxusercontent.com"];
/** Where downloads and error pages may lead. */
const SERVICE_HOSTS = [...DOMAINS, "*.dropboxusercontent.com"];
/** `/scl/fi/<id>/<name>` with `rlkey`, or the older `/s/<id>/<name>`. `dl` and `raw` are steps of a download. */
const FILE_PATH = /^\/(?:scl\/fi\/[\w-]+\/[^/]+|s\/(?:(?:dl|raw)\/)?[\w-]+(?:\/[^/]+)?)$/;
const FOLDER_PATH = /^\/(?:scl\/fo|sh)\//;
const LINK_KEY = /^[\w-]+$/;

export const dropboxLinks: LinkHost = {
  name: "dropbox",
  label: "Dropbox",
  uses: ["video", "music"],
  isOptional: true,
  domains: DOMAINS,
  parse(url) {
    if (!isPlainHttps(url) || !DOMAINS.includes(url.hostname) || !FILE_PATH.test(url.pathname)) return null;
    const key = url.searchParams.get("rlkey");
    const id = url.pathname.slice(1).replace(/^s\/(?:dl|raw)\//, "s/");
    return { id, accessKey: key !== null && LINK_KEY.test(key) ? key : null };
  },
  explain(url) {
    if (!DOMAINS.includes(url.hostname)) return null;
    return FOLDER_PATH.test(url.pathname)
      ? "this is a Dropbox folder, which opens only for Dropbox accounts; add links to its files instead"
      : "this link doesn't point to a shared file; in Dropbox, use Copy link";
  },
  nameOf: ({ id }) => lastPartOf(id)!,
  addressOf: ({ id, accessKey }) => `https://www.dropbox.com/${id}${accessKey === null ? "" : `?rlkey=${accessKey}`}`,
};

export const dropbox: SourceHost = {
  links: dropboxLinks,
  services: [DROPBOX],
  ...downloadDirectly(requestFile, nameOf),
};

/** Returns a response with the file. Throws ClipmillError for a page. */
async function requestFile(
  { id, accessKey }: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
): Promise<SourceAnswer> {
  const baseUrl = baseUrlOf(access, DROPBOX);
  const url = new URL(`${baseUrl}/${id}`);
  url.search = new URLSearchParams({ ...(accessKey !== null && { rlkey: accessKey }), dl: "1" }).toString();
  // If-Range is ignored, and the tag is not quoted, so resumed downloads compare the tag themselves.
  const answer = await access.get(url, {
    service: "Dropbox",
    baseUrl,
    allowedHosts: SERVICE_HOSTS,
    headers: rangeHeaders(range),
  });
  const isFile = (answer.status === 200 || answer.status === 206) && !isPage(answer);
  if (isFile) return answer;
  throw isEmpty(answer) ? emptyFile() : explainPage(answer, await answer.text());
}

/** Content-Disposition of large files says only "unspecified". */
function nameOf({ id }: SourceLink, { fileName }: SourceAnswer): string {
  const named = id.split("/").length > 2;
  return named || fileName === null || fileName === "unspecified" ? lastPartOf(id)! : fileName;
}

// The pages have no machine-readable reason; these are their sentences (help.dropbox.com/share/banned-links).
const OVERUSED = /too much traffic|temporarily disabled/i;
const EXPIRED = /link (?:has )?expired/i;

function explainPage({ status, url, retryAfterSeconds }: SourceAnswer, page: string): ClipmillError {
  const details = { facts: { status }, retryAfterSeconds };
  if (OVERUSED.test(page)) return refusals.overused(details);
  if (status === 429) return refusals.rateLimited(details);
  if (status >= 500) return refusals.outOfOrder(details);
  if (url.pathname.startsWith("/sm/password")) return refusals.locked(details);
  if (status === 401 || status === 403 || url.pathname.startsWith("/login")) return refusals.notShared(details);
  return EXPIRED.test(page) ? refusals.expired(details) : refusals.notFound(details);
}

type Details = ConstructorParameters<typeof ClipmillError>[2];

const refusals = {
  overused: (details: Details) =>
    new ClipmillError(
      "quota_exceeded",
      "Dropbox has turned off this link for 24 hours because of too much traffic. Use a copy of the file, or retry later.",
      details,
    ),
  rateLimited: (details: Details) =>
    new ClipmillError("rate_limited", "Dropbox is limiting requests. Retry in a few minutes.", details),
  outOfOrder: (details: Details) =>
    new ClipmillError("network", "Dropbox is having problems right now. Retry later.", details),
  locked: (details: Details) =>
    new ClipmillError(
      "not_shared",
      "This Dropbox link has a password. Remove it in the link's settings, then retry.",
      details,
    ),
  notShared: (details: Details) =>
    new ClipmillError(
      "not_shared",
      'This Dropbox link is not open to everyone. Set it to "Anyone with this link", then retry.',
      details,
    ),
  expired: (details: Details) =>
    new ClipmillError("source_not_found", "This Dropbox link has expired. Create a new link.", details),
  notFound: (details: Details) =>
    new ClipmillError(
      "source_not_found",
      "Dropbox has no file at this link. It may have been deleted or moved. Check the link.",
      details,
    ),
};
