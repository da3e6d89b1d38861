/** Opens the bytes of a Drive file: through the API with a key, at the public download address without. */
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

/** What is known of a file. `revision` changes when its content does. */
export type DriveFileFacts = { name: string; revision: string; mimeType: string; sizeBytes: number };

/** A file whose bytes are on their way. */
export type OpenedFile = {
  answer: GuardedAnswer;
  /** Bytes of the whole file, or null when Google did not say. */
  totalBytes: number | null;
  /** Asks again for the bytes from `start` on; the answer is 206, or 200 with the whole file. */
  reopen(start: number): Promise<GuardedAnswer>;
};

/** Where and how to ask for the bytes, and what a refusal there means. */
type Source = { url: URL; baseUrl: string; headers: Record<string, string>; explain: ExplainRefusal };

/** Opens the bytes through the API. `sizeBytes` comes from the metadata. */
export async function openThroughApi(link: DriveLink, access: DriveAccess, sizeBytes: number): Promise<OpenedFile> {
  const url = apiUrl(link, access, { alt: "media" });
  const source = { url, baseUrl: access.apiBaseUrl, headers: apiHeaders(link), explain: explainApiRefusal };
  const answer = await ask(source, access);
  return { answer, totalBytes: sizeBytes, reopen: (start) => askFrom(start, answer, source, access) };
}

/** Opens the bytes at the public download address, confirming the virus-scan page when Google shows it. */
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
  let answer = await ask(source, access);
  if (isPage(answer)) {
    const page = await readText(answer, access);
    const form = readVirusScanForm(page);
    if (!form) throw explainPublicPage(answer.status, page, null);
    source = publicSource(new Map([...fields, ...form]), access);
    answer = await ask(source, access);
    if (isPage(answer)) throw explainPublicPage(answer.status, await readText(answer, access), null);
  }
  const length = Number(answer.headers["content-length"]);
  const totalBytes = answer.headers["content-length"] !== undefined && Number.isSafeInteger(length) ? length : null;
  return {
    answer,
    totalBytes,
    reopen: (start) => askFrom(start, answer, source, access),
    facts: {
      name: fileNameOf(answer.headers["content-disposition"]) ?? link.id,
      revision: answer.headers.etag ?? answer.headers["last-modified"] ?? `size-${totalBytes ?? "unknown"}`,
      mimeType: answer.headers["content-type"]?.split(";")[0]?.trim() || "application/octet-stream",
    },
  };
}

/** An address of the API for a file. It holds the key: it goes into requests and nowhere else. */
export function apiUrl(link: DriveLink, access: DriveAccess, parameters: Record<string, string>): URL {
  const url = new URL(`${withoutSlash(access.apiBaseUrl)}/drive/v3/files/${encodeURIComponent(link.id)}`);
  url.search = new URLSearchParams({ ...parameters, supportsAllDrives: "true", key: access.apiKey ?? "" }).toString();
  return url;
}

export function apiHeaders(link: DriveLink): Record<string, string> {
  return link.resourceKey === null ? {} : { "x-goog-drive-resource-keys": `${link.id}/${link.resourceKey}` };
}

function publicSource(fields: Map<string, string>, access: DriveAccess): Source {
  const url = new URL(`${withoutSlash(access.downloadBaseUrl)}/download`);
  url.search = new URLSearchParams([...fields]).toString();
  return { url, baseUrl: access.downloadBaseUrl, headers: {}, explain: explainPublicPage };
}

async function askFrom(
  start: number,
  first: GuardedAnswer,
  source: Source,
  access: DriveAccess,
): Promise<GuardedAnswer> {
  const { etag } = first.headers;
  // A weak tag may not stand in If-Range.
  const condition: Record<string, string> = etag?.startsWith('"') ? { "if-range": etag } : {};
  return await ask({ ...source, headers: { ...source.headers, range: `bytes=${start}-`, ...condition } }, access);
}

/** An answer with a body to use: 200 or 206. Any other is thrown as what it means. */
async function ask(source: Source, access: DriveAccess): Promise<GuardedAnswer> {
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

/** True for a page in place of the file. An HTML file somebody uploaded comes as an attachment, and is no video either. */
function isPage(answer: GuardedAnswer): boolean {
  return /^text\/html\b/i.test(answer.headers["content-type"] ?? "");
}

function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "");
}
