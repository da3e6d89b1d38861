/**
 * Files shared from a personal OneDrive, read with the shares API
 * (learn.microsoft.com/onedrive/developer/rest-api/api/shares_get). On a 401, as since August 2026, an anonymous token
 * is requested first, as OneDrive's page for visitors does. The token service is undocumented; used as published on
 * 2026-08-26 and 2025-05-16 (github.com/felixrieseberg/onedrive-link/issues/1).
 */
import { ClipmillError } from "../../errors.ts";
import { emptyFile, isPage } from "../direct-download.ts";
import { isPlainHttps, type LinkHost, type SourceLink } from "../link-host.ts";
import { ifUnchanged, rangeHeaders } from "../ranges.ts";
import {
  baseUrlOf,
  type ByteRange,
  type SourceAccess,
  type SourceResponse,
  type SourceFacts,
  type SourceHost,
  type SourceRequest,
} from "../source-host.ts";

const ONEDRIVE = {
  variable: "ONEDRIVE_BASE_URL",
  defaultUrl: "https://my.microsoftpersonalcontent.com/_api/v2.0",
};
const TOKENS = { variable: "ONEDRIVE_TOKEN_BASE_URL", defaultUrl: "https://api-badgerp.svc.ms/v1.0" };
/** OneDrive's page for visitors. */
const VISITOR_APP = "5cbed6ac-a083-4e14-b191-b4ba07653de2";
/** Tokens last a week. */
const TOKEN_MILLISECONDS = 24 * 3_600_000;
const CONTENT_HOSTS = ["*.microsoftpersonalcontent.com", "*.1drv.com"];

const SHORT_DOMAIN = "1drv.ms";
const DOMAINS = [SHORT_DOMAIN, "onedrive.live.com"];
/** `/v/c/<account>/<token>`, or the older `/v/s!<token>`. The first letter is the kind of file; f is a folder. */
const SHORT_PATH = /^\/([a-z])\/(?:c\/[\w-]+\/[\w-]+|s![\w-]+)$/i;

export const oneDriveLinks: LinkHost = {
  name: "onedrive",
  label: "OneDrive",
  uses: ["video", "music", "subtitles"],
  isOptional: true,
  settingsText: "Files shared with a link from a personal OneDrive.",
  domains: DOMAINS,
  parse(url) {
    const short = shortLinkOf(url);
    const kind = short && SHORT_PATH.exec(short.pathname)?.[1];
    return kind && kind.toLowerCase() !== "f" ? { id: short.pathname.slice(1), accessKey: null } : null;
  },
  explain(url) {
    if (!DOMAINS.includes(url.hostname)) return null;
    return /^\/f\//i.test(shortLinkOf(url)?.pathname ?? "")
      ? "this is a OneDrive folder; add links to its files instead"
      : "this link doesn't point to a shared file; in OneDrive, use Copy link";
  },
  nameOf: ({ id }) => `OneDrive file ${id.split(/[/!]/).at(-1)}`,
  addressOf: ({ id }) => `https://${SHORT_DOMAIN}/${id}`,
};

export const oneDrive: SourceHost = {
  links: oneDriveLinks,
  services: [ONEDRIVE, TOKENS],
  describe: async (link, access) => (await readItem(link, access)).facts,
  async open(link, access, { range }) {
    const { facts, contentUrl } = await readItem(link, access);
    const response = await requestContent(contentUrl, access, range);
    return { facts, response, reopen: (other) => requestContent(contentUrl, access, other, response) };
  },
};

/** The shared link; a long one contains it as `redeem`, in base64url. */
function shortLinkOf(url: URL): URL | null {
  if (!isPlainHttps(url)) return null;
  if (url.hostname === SHORT_DOMAIN) return url;
  const redeem = DOMAINS.includes(url.hostname) ? url.searchParams.get("redeem") : null;
  const encoded = redeem?.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/") ?? "";
  // A last group of one character cannot be decoded.
  const short = /^[\w+/]+$/.test(encoded) && encoded.length % 4 !== 1 ? URL.parse(atob(encoded)) : null;
  return short?.hostname === SHORT_DOMAIN && isPlainHttps(short) ? short : null;
}

type Item = { facts: SourceFacts; contentUrl: URL };

async function readItem({ id }: SourceLink, access: SourceAccess): Promise<Item> {
  const share = btoa(`https://${SHORT_DOMAIN}/${id}`).replace(/=+$/, "").replaceAll("/", "_").replaceAll("+", "-");
  const url = new URL(`${baseUrlOf(access, ONEDRIVE)}/shares/u!${share}/driveItem`);
  let response = await requestItem(url, access, knownToken(access));
  if (response.status === 401) {
    response.body.destroy();
    response = await requestItem(url, access, await requestToken(access));
  }
  const body = await response.text();
  if (response.status !== 200) throw explainError(response, body);
  return toItem(readJson(body));
}

function requestItem(url: URL, access: SourceAccess, token: string | null): Promise<SourceResponse> {
  const authorization = token === null ? {} : { authorization: `Badger ${token}` };
  const headers = { ...authorization, prefer: "autoredeem", accept: "application/json" };
  return request(url, access, { baseUrl: baseUrlOf(access, ONEDRIVE), allowedHosts: [], headers });
}

function toItem(item: Record<string, unknown>): Item {
  const { name, size, file, folder, cTag, "@content.downloadUrl": downloadUrl } = item;
  if (folder !== undefined) throw errors.folder();
  const contentUrl = typeof downloadUrl === "string" ? URL.parse(downloadUrl) : null;
  if (typeof name !== "string" || typeof size !== "number" || !contentUrl) throw errors.unreadable();
  if (size === 0) throw emptyFile();
  const mimeType =
    isRecord(file) && typeof file["mimeType"] === "string" ? file["mimeType"] : "application/octet-stream";
  // The cTag changes with the content, the eTag also with the name (learn.microsoft.com, driveItem).
  const revision = typeof cTag === "string" ? cTag : null;
  return { facts: { name, mimeType, sizeBytes: size, revision }, contentUrl };
}

async function requestContent(
  url: URL,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceResponse,
): Promise<SourceResponse> {
  const headers = { ...rangeHeaders(range), ...ifUnchanged(first) };
  const response = await request(url, access, {
    baseUrl: baseUrlOf(access, ONEDRIVE),
    allowedHosts: CONTENT_HOSTS,
    headers,
  });
  const isFile = response.status === 200 || response.status === 206;
  if (isFile && !isPage(response)) return response;
  throw isFile ? errors.unreadable() : explainError(response, await response.text());
}

const tokens = new Map<string, { token: string; until: number }>();

function knownToken(access: SourceAccess): string | null {
  const known = tokens.get(baseUrlOf(access, TOKENS));
  return known && known.until > Date.now() ? known.token : null;
}

async function requestToken(access: SourceAccess): Promise<string> {
  const baseUrl = baseUrlOf(access, TOKENS);
  const json = { appId: VISITOR_APP };
  const response = await request(new URL(`${baseUrl}/token`), access, { baseUrl, allowedHosts: [], json });
  const body = await response.text();
  if (response.status === 429 || response.status >= 500) throw explainError(response, body);
  const { token } = response.status === 200 ? readJson(body) : {};
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) throw errors.noVisitors({ status: response.status });
  tokens.set(baseUrl, { token, until: Date.now() + TOKEN_MILLISECONDS });
  return token;
}

function request(url: URL, { get }: SourceAccess, what: Omit<SourceRequest, "service">): Promise<SourceResponse> {
  return get(url, { service: "OneDrive", ...what });
}

/** Throws ClipmillError for anything but a JSON object. */
function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (isRecord(value)) return value;
  } catch {
    // Explained below.
  }
  throw errors.unreadable();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Statuses and `malwareDetected`: learn.microsoft.com/onedrive/developer/rest-api/concepts/errors. */
function explainError({ status, retryAfterSeconds }: SourceResponse, body: string): ClipmillError {
  const details = { facts: { status }, retryAfterSeconds };
  if (status === 429 || status === 509) return errors.rateLimited(details);
  if (status >= 500) return errors.outOfOrder(details);
  if (body.includes('"malwareDetected"')) return errors.flagged(details);
  if (status === 401 || status === 403) return errors.notShared(details);
  return status === 416 ? errors.incomplete(details) : errors.notFound(details);
}

type Details = ConstructorParameters<typeof ClipmillError>[2];

const errors = {
  folder: () =>
    new ClipmillError("not_a_video", "This OneDrive link points to a folder. Add links to its files instead."),
  unreadable: () => new ClipmillError("network", "OneDrive sent an unreadable response. Retry later."),
  noVisitors: (facts: Record<string, unknown>) =>
    new ClipmillError("unavailable", "OneDrive cannot open shared links right now. Retry later.", { facts }),
  rateLimited: (details: Details) =>
    new ClipmillError("rate_limited", "OneDrive is limiting requests. Retry in a few minutes.", details),
  outOfOrder: (details: Details) =>
    new ClipmillError("network", "OneDrive is having problems right now. Retry later.", details),
  flagged: (details: Details) =>
    new ClipmillError(
      "not_shared",
      "OneDrive flagged this file as harmful and does not allow downloading it.",
      details,
    ),
  notShared: (details: Details) =>
    new ClipmillError(
      "not_shared",
      'This OneDrive link is not open to everyone, or it has expired. Share the file with "Anyone with the link".',
      details,
    ),
  incomplete: (details: Details) =>
    new ClipmillError("incomplete", "OneDrive sent only part of this file. Retry later.", details),
  notFound: (details: Details) =>
    new ClipmillError("source_not_found", "OneDrive has no file at this link. Check the link.", details),
};
