/** Opens a Drive file for download: through the API with a key, at the public address without. */
import { fileNameOf } from "../content-disposition.ts";
import { explainApiRefusal, explainPublicPage, readVirusScanForm, refusals } from "./google-drive-refusals.ts";
import {
  type DriveAccess,
  type ExplainRefusal,
  readText,
  requestDrive,
  retryAfterSecondsOf,
  SIGN_IN_HOST,
} from "./google-drive-request.ts";
import { type GuardedAnswer, redirectTarget } from "../guarded-fetch.ts";

export type DriveLink = { id: string; resourceKey: string | null };

/** File metadata. `revision` changes with the content. */
export type DriveFileFacts = { name: string; revision: string; mimeType: string; sizeBytes: number };

/** A started download. */
export type OpenedFile = {
  answer: GuardedAnswer;
  /** Size of the whole file, or null if Google did not report it. */
  totalBytes: number | null;
  /** Requests the bytes from `start` on. The response is 206, or 200 with the whole file. */
  reopen(start: number): Promise<GuardedAnswer>;
};

/** The request for the bytes, and how to explain a refusal. */
type Source = { url: URL; baseUrl: string; headers: Record<string, string>; explain: ExplainRefusal };

/** Opens a file through the API. `sizeBytes` comes from the metadata. */
export async function openThroughApi(link: DriveLink, access: DriveAccess, sizeBytes: number): Promise<OpenedFile> {
  const url = apiUrl(link, access, { alt: "media" });
  const source = { url, baseUrl: access.apiBaseUrl, headers: apiHeaders(link), explain: explainApiRefusal };
  const answer = await requestMedia(source, access);
  return { answer, totalBytes: sizeBytes, reopen: (start) => requestFrom(start, answer, source, access) };
}

/** Opens a file at the public address, confirming the virus-scan page if shown. */
export async function openPublicly(
  link: DriveLink,
  access: DriveAccess,
): Promise<OpenedFile & { facts: Omit<DriveFileFacts, "sizeBytes"> }> {
  const fields = new Map([
    ["id", link.id],
    ["export", "download"],
    ["confirm", "t"],
  ]);
  if (link.resourceKey !== null) fields.set("resourcekey", link.resourceKey);
  let source = publicSource(fields, access);
  let answer = await requestMedia(source, access);
  if (isPage(answer)) {
    const page = await readText(answer, access);
    const form = readVirusScanForm(page);
    if (!form) throw explainPublicPage(answer.status, page, null);
    source = publicSource(new Map([...fields, ...form]), access);
    answer = await requestMedia(source, access);
    if (isPage(answer)) throw explainPublicPage(answer.status, await readText(answer, access), null);
  }
  const length = Number(answer.headers["content-length"]);
  const totalBytes = answer.headers["content-length"] !== undefined && Number.isSafeInteger(length) ? length : null;
  return {
    answer,
    totalBytes,
    reopen: (start) => requestFrom(start, answer, source, access),
    facts: {
      name: fileNameOf(answer.headers["content-disposition"]) ?? link.id,
      revision: answer.headers.etag ?? answer.headers["last-modified"] ?? `size-${totalBytes ?? "unknown"}`,
      mimeType: answer.headers["content-type"]?.split(";")[0]?.trim() || "application/octet-stream",
    },
  };
}

/** Returns an API URL. It contains the key: use it for requests only. */
export function apiUrl(link: DriveLink, access: DriveAccess, parameters: Record<string, string>): URL {
  const url = new URL(`${withoutSlash(access.apiBaseUrl)}/drive/v3/files/${encodeURIComponent(link.id)}`);
  url.search = new URLSearchParams({ ...parameters, supportsAllDrives: "true", key: access.apiKey ?? "" }).toString();
  return url;
}

/** Returns the header with the file's resource key, as `id/key`; {} for a link without one. */
export function apiHeaders(link: DriveLink): Record<string, string> {
  return link.resourceKey === null ? {} : { "x-goog-drive-resource-keys": `${link.id}/${link.resourceKey}` };
}

function publicSource(fields: Map<string, string>, access: DriveAccess): Source {
  const url = new URL(`${withoutSlash(access.downloadBaseUrl)}/download`);
  url.search = new URLSearchParams([...fields]).toString();
  return { url, baseUrl: access.downloadBaseUrl, headers: {}, explain: explainPublicPage };
}

async function requestFrom(
  start: number,
  first: GuardedAnswer,
  source: Source,
  access: DriveAccess,
): Promise<GuardedAnswer> {
  const { etag } = first.headers;
  // If-Range does not allow weak tags.
  const condition: Record<string, string> = etag?.startsWith('"') ? { "if-range": etag } : {};
  return await requestMedia(
    { ...source, headers: { ...source.headers, range: `bytes=${start}-`, ...condition } },
    access,
  );
}

/** Returns a response with status 200 or 206. Throws the matching ClipmillError for any other. */
async function requestMedia(source: Source, access: DriveAccess): Promise<GuardedAnswer> {
  const answer = await requestDrive(source.url, access, source.baseUrl, source.headers);
  if (answer.status === 200 || answer.status === 206) return answer;
  if (redirectTarget(answer)?.hostname === SIGN_IN_HOST) {
    answer.body.destroy();
    throw refusals.notShared({ status: answer.status });
  }
  if (answer.status === 416) {
    answer.body.destroy();
    throw refusals.incomplete({ status: answer.status });
  }
  throw source.explain(answer.status, await readText(answer, access), retryAfterSecondsOf(answer));
}

/** Returns true for a page instead of the file. Uploaded HTML files match too, and are no videos either. */
function isPage(answer: GuardedAnswer): boolean {
  return /^text\/html\b/i.test(answer.headers["content-type"] ?? "");
}

function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "");
}
