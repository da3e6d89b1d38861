/**
 * Shared Dropbox links. `dl=1` downloads (help.dropbox.com/share/force-download), redirecting each request to a new
 * address of dl.dropboxusercontent.com; an error is a page of www.dropbox.com, often with status 200 (measurements of
 * 2026-10-08, published by the Vibe player's authors).
 */
import { ClipmillError } from "../../../errors.ts";
import { downloadDirectly, emptyFile, isEmpty, isPage, lastPartOf } from "../../direct-download.ts";
import type { SourceLink } from "../../link-host.ts";
import { rangeHeaders } from "../../ranges.ts";
import {
  baseUrlOf,
  type ByteRange,
  type SourceAccess,
  type SourceResponse,
  type SourceHost,
} from "../../source-host.ts";
import { dropboxLinks, placeInFolder } from "./links.ts";
import { listSharedFolder, requestSharedFile } from "./shared-folder.ts";

const DROPBOX = { variable: "DROPBOX_BASE_URL", defaultUrl: "https://www.dropbox.com" };

const SERVICE_HOSTS = [...dropboxLinks.domains, "*.dropboxusercontent.com"];

export const dropbox: SourceHost = {
  ...downloadDirectly({ links: dropboxLinks, services: [DROPBOX] }, requestFile, nameOf),
  list: listSharedFolder,
};

/** Throws ClipmillError for a page. */
async function requestFile(link: SourceLink, access: SourceAccess, range?: ByteRange): Promise<SourceResponse> {
  if (placeInFolder(link)) return await requestSharedFile(link, access, range);
  const { id, accessKey } = link;
  const baseUrl = baseUrlOf(access, DROPBOX);
  const url = new URL(`${baseUrl}/${id}`);
  url.search = new URLSearchParams({ ...(accessKey !== null && { rlkey: accessKey }), dl: "1" }).toString();
  // If-Range is ignored and the tag unquoted, so resumed downloads compare the tag themselves.
  const response = await access.get(url, {
    service: "Dropbox",
    baseUrl,
    allowedHosts: SERVICE_HOSTS,
    headers: rangeHeaders(range),
  });
  const isFile = (response.status === 200 || response.status === 206) && !isPage(response);
  if (isFile) return response;
  throw isEmpty(response) ? emptyFile() : explainPage(response, await response.text());
}

/** Large files' Content-Disposition says only "unspecified". */
function nameOf({ id }: SourceLink, { fileName }: SourceResponse): string {
  const named = id.split("/").length > 2;
  return named || fileName === null || fileName === "unspecified" ? lastPartOf(id)! : fileName;
}

// The pages have no machine-readable reason, only these sentences (help.dropbox.com/share/banned-links).
const OVERUSED = /too much traffic|temporarily disabled/i;
const EXPIRED = /link (?:has )?expired/i;

function explainPage({ status, url, retryAfterSeconds }: SourceResponse, page: string): ClipmillError {
  const details = { facts: { status }, retryAfterSeconds };
  if (OVERUSED.test(page)) return errors.overused(details);
  if (status === 429) return errors.rateLimited(details);
  if (status >= 500) return errors.outOfOrder(details);
  if (url.pathname.startsWith("/sm/password")) return errors.locked(details);
  if (status === 401 || status === 403 || url.pathname.startsWith("/login")) return errors.notShared(details);
  return EXPIRED.test(page) ? errors.expired(details) : errors.notFound(details);
}

type Details = ConstructorParameters<typeof ClipmillError>[2];

const errors = {
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
