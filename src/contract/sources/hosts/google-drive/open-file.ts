/** Opens a Drive file for download: through the API with a key, at the public address without. */
import type { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import type { ByteRange, OpenedSource, SourceAccess, SourceAnswer, SourceFacts } from "../../source-host.ts";
import { ifUnchanged, rangeHeaders, revisionOf, totalBytesOf } from "../../ranges.ts";
import { explainApiRefusal, explainPublicPage, readVirusScanForm, refusals } from "./refusals.ts";

const SIGN_IN_HOST = "accounts.google.com";
const GOOGLE_HOSTS = [
  "drive.google.com",
  "docs.google.com",
  "www.googleapis.com",
  "content.googleapis.com",
  "*.usercontent.google.com",
  "*.googleusercontent.com",
];

/** Converts an unusable response to an error. */
type ExplainRefusal = (status: number, body: string, retryAfterSeconds: number | null) => ClipmillError;

/** The request for the bytes, and how to explain a refusal. */
type Media = { url: URL; baseUrl: string; headers: Record<string, string>; explain: ExplainRefusal };

/** Sends one GET request to Google. */
export function requestDrive(
  url: URL,
  access: Pick<SourceAccess, "get">,
  baseUrl: string,
  headers: Record<string, string>,
): Promise<SourceAnswer> {
  const request = { service: "Google Drive", allowedHosts: GOOGLE_HOSTS, stopAtHost: SIGN_IN_HOST };
  return access.get(url, { ...request, baseUrl, headers });
}

/** Opens a file through the API. `facts` are its metadata. */
export async function openThroughApi(
  link: SourceLink,
  access: SourceAccess,
  facts: SourceFacts,
  range?: ByteRange,
): Promise<OpenedSource> {
  const url = apiUrl(link, access, { alt: "media" });
  const media = { url, baseUrl: access.baseUrls.googleApi, headers: apiHeaders(link), explain: explainApiRefusal };
  const answer = await requestMedia(media, access, range);
  return { facts, answer, reopen: (other) => requestMedia(media, access, other, answer) };
}

/** Opens a file at the public address, confirming the virus-scan page if shown. */
export async function openPublicly(link: SourceLink, access: SourceAccess, range?: ByteRange): Promise<OpenedSource> {
  const fields = new Map([
    ["id", link.id],
    ["export", "download"],
    ["confirm", "t"],
  ]);
  if (link.accessKey !== null) fields.set("resourcekey", link.accessKey);
  let media = publicMedia(fields, access);
  let answer = await requestMedia(media, access, range);
  if (isPage(answer)) {
    const page = await answer.text();
    const form = readVirusScanForm(page);
    if (!form) throw explainPublicPage(answer.status, page, null);
    media = publicMedia(new Map([...fields, ...form]), access);
    answer = await requestMedia(media, access, range);
    if (isPage(answer)) throw explainPublicPage(answer.status, await answer.text(), null);
  }
  const opened = answer;
  return { facts: factsOf(link, opened), answer, reopen: (other) => requestMedia(media, access, other, opened) };
}

/** Returns an API URL. It contains the key: use it for requests only. */
export function apiUrl(link: SourceLink, access: SourceAccess, parameters: Record<string, string>): URL {
  const url = new URL(`${withoutSlash(access.baseUrls.googleApi)}/drive/v3/files/${encodeURIComponent(link.id)}`);
  const key = access.googleDriveKey ?? "";
  url.search = new URLSearchParams({ ...parameters, supportsAllDrives: "true", key }).toString();
  return url;
}

/** Returns the header with the file's resource key, as `id/key`; {} for a link without one. */
export function apiHeaders({ id, accessKey }: SourceLink): Record<string, string> {
  return accessKey === null ? {} : { "x-goog-drive-resource-keys": `${id}/${accessKey}` };
}

function publicMedia(fields: Map<string, string>, { baseUrls }: SourceAccess): Media {
  const url = new URL(`${withoutSlash(baseUrls.googleDownload)}/download`);
  url.search = new URLSearchParams([...fields]).toString();
  return { url, baseUrl: baseUrls.googleDownload, headers: {}, explain: explainPublicPage };
}

function factsOf(link: SourceLink, answer: SourceAnswer): SourceFacts {
  const { "content-type": type } = answer.headers;
  return {
    name: answer.fileName ?? link.id,
    mimeType: type?.split(";")[0]?.trim() || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: revisionOf(answer),
  };
}

/**
 * Returns a response with status 200 or 206. A range of `first` is requested only of the same content. Throws the
 * matching ClipmillError for any other status.
 */
async function requestMedia(
  media: Media,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceAnswer,
): Promise<SourceAnswer> {
  const headers = { ...media.headers, ...rangeHeaders(range), ...ifUnchanged(first) };
  const answer = await requestDrive(media.url, access, media.baseUrl, headers);
  if (answer.status === 200 || answer.status === 206) return answer;
  if (answer.redirectTarget?.hostname === SIGN_IN_HOST) {
    answer.body.destroy();
    throw refusals.notShared({ status: answer.status });
  }
  if (answer.status === 416) {
    answer.body.destroy();
    throw refusals.incomplete({ status: answer.status });
  }
  throw media.explain(answer.status, await answer.text(), answer.retryAfterSeconds);
}

/** Returns true for a page instead of the file. Uploaded HTML files match too, and are no videos either. */
function isPage(answer: SourceAnswer): boolean {
  return /^text\/html\b/i.test(answer.headers["content-type"] ?? "");
}

function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "");
}
