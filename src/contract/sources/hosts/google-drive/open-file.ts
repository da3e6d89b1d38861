import type { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import { baseUrlOf } from "../../source-host.ts";
import type { ByteRange, OpenedSource, SourceAccess, SourceResponse, SourceFacts } from "../../source-host.ts";
import { factsOf, isPage } from "../../direct-download.ts";
import { ifUnchanged, rangeHeaders } from "../../ranges.ts";
import { explainApiError, explainPublicPage, readVirusScanForm, errors } from "./drive-errors.ts";

export const GOOGLE_API = { variable: "GOOGLE_API_BASE_URL", defaultUrl: "https://www.googleapis.com" };
export const GOOGLE_DOWNLOAD = {
  variable: "GOOGLE_DOWNLOAD_BASE_URL",
  defaultUrl: "https://drive.usercontent.google.com",
};

const SIGN_IN_HOST = "accounts.google.com";
const GOOGLE_HOSTS = [
  "drive.google.com",
  "docs.google.com",
  "www.googleapis.com",
  "content.googleapis.com",
  "*.usercontent.google.com",
  "*.googleusercontent.com",
];

type ExplainError = (status: number, body: string, retryAfterSeconds: number | null) => ClipmillError;

/** `explain` turns an unusable response into an error. */
type Media = { url: URL; baseUrl: string; headers: Record<string, string>; explain: ExplainError };

export function requestDrive(
  url: URL,
  access: Pick<SourceAccess, "get">,
  baseUrl: string,
  headers: Record<string, string>,
): Promise<SourceResponse> {
  const request = { service: "Google Drive", allowedHosts: GOOGLE_HOSTS, stopAtHost: SIGN_IN_HOST };
  return access.get(url, { ...request, baseUrl, headers });
}

export async function openThroughApi(
  link: SourceLink,
  access: SourceAccess,
  facts: SourceFacts,
  range?: ByteRange,
): Promise<OpenedSource> {
  const url = apiUrl(link, access, { alt: "media" });
  const media = { url, baseUrl: baseUrlOf(access, GOOGLE_API), headers: apiHeaders(link), explain: explainApiError };
  const response = await requestMedia(media, access, range);
  return { facts, response, reopen: (other) => requestMedia(media, access, other, response) };
}

/** Confirms the virus-scan page, if shown. */
export async function openPublicly(link: SourceLink, access: SourceAccess, range?: ByteRange): Promise<OpenedSource> {
  const fields = new Map([
    ["id", link.id],
    ["export", "download"],
    ["confirm", "t"],
  ]);
  if (link.accessKey !== null) fields.set("resourcekey", link.accessKey);
  let media = publicMedia(fields, access);
  let response = await requestMedia(media, access, range);
  if (isPage(response)) {
    const page = await response.text();
    const form = readVirusScanForm(page);
    if (!form) throw explainPublicPage(response.status, page, null);
    media = publicMedia(new Map([...fields, ...form]), access);
    response = await requestMedia(media, access, range);
    if (isPage(response)) throw explainPublicPage(response.status, await response.text(), null);
  }
  const opened = response;
  return {
    facts: factsOf(opened.fileName ?? link.id, opened),
    response,
    reopen: (other) => requestMedia(media, access, other, opened),
  };
}

/** Contains the key: use it for requests only. */
export function apiUrl(link: SourceLink, access: SourceAccess, parameters: Record<string, string>): URL {
  const url = new URL(`${baseUrlOf(access, GOOGLE_API)}/drive/v3/files/${encodeURIComponent(link.id)}`);
  const key = access.googleDriveKey ?? "";
  url.search = new URLSearchParams({ ...parameters, supportsAllDrives: "true", key }).toString();
  return url;
}

/** The file's resource key as `id/key`; {} without one. */
export function apiHeaders({ id, accessKey }: SourceLink): Record<string, string> {
  return accessKey === null ? {} : { "x-goog-drive-resource-keys": `${id}/${accessKey}` };
}

function publicMedia(fields: Map<string, string>, access: SourceAccess): Media {
  const baseUrl = baseUrlOf(access, GOOGLE_DOWNLOAD);
  const url = new URL(`${baseUrl}/download`);
  url.search = new URLSearchParams([...fields]).toString();
  return { url, baseUrl, headers: {}, explain: explainPublicPage };
}

/** Returns status 200 or 206, else throws ClipmillError. `range` is sent only for the content of `first`. */
async function requestMedia(
  media: Media,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceResponse,
): Promise<SourceResponse> {
  const headers = { ...media.headers, ...rangeHeaders(range), ...ifUnchanged(first) };
  const response = await requestDrive(media.url, access, media.baseUrl, headers);
  if (response.status === 200 || response.status === 206) return response;
  if (response.redirectTarget?.hostname === SIGN_IN_HOST) {
    response.body.destroy();
    throw errors.notShared({ status: response.status });
  }
  if (response.status === 416) {
    response.body.destroy();
    throw errors.incomplete({ status: response.status });
  }
  throw media.explain(response.status, await response.text(), response.retryAfterSeconds);
}
