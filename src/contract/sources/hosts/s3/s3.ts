import { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import { isMediaName } from "../../media-names.ts";
import type { ListedFile } from "../../preflight.ts";
import { ifUnchanged, rangeHeaders, totalBytesOf } from "../../ranges.ts";
import {
  type ByteRange,
  type FolderEntry,
  MAX_FOLDER_FILES,
  type SourceAccess,
  type SourceResponse,
  type SourceFacts,
  type SourceHost,
} from "../../source-host.ts";
import { bucketOf, keyOf, s3Links } from "./links.ts";
import { emptyFile } from "./s3-errors.ts";
import { requestS3 } from "./request-s3.ts";

// docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html, read 2026-11-22

/** Keeps a page below the response limit, even with the longest names. */
const FILES_PER_PAGE = 140;
/** Limits requests for a prefix with many other files. */
const MAX_PAGES = 50;

type Access = Pick<SourceAccess, "get" | "signS3">;

/** Throws ClipmillError, also for too many files and names that a list of links cannot contain. */
export async function listPrefix({ id }: SourceLink, access: Access): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const files of readPages(id, access, MAX_PAGES, MAX_FOLDER_FILES)) {
    const media = files.filter(({ key }) => isMediaName(key));
    found.push(...media.map(({ key, size }) => toListedFile(bucketOf(id), key, size)));
    if (found.length > MAX_FOLDER_FILES) throw tooMany(MAX_FOLDER_FILES);
  }
  return inOrder(found);
}

/** Files of any type. Throws ClipmillError, also for too many files. */
async function listPrefixEntries({ id }: SourceLink, access: Access, mostFiles: number): Promise<FolderEntry[]> {
  const [bucket, prefix] = [bucketOf(id), keyOf(id)];
  const found: FolderEntry[] = [];
  for await (const files of readPages(id, access, Math.ceil(mostFiles / FILES_PER_PAGE) + 1, mostFiles)) {
    // Programs create such a file for a folder.
    for (const { key, size, etag } of files.filter((file) => !file.key.endsWith("/"))) {
      const link = `s3://${bucket}/${key}`;
      const revision = `${etag ?? ""} ${size ?? ""}`;
      const name = key.slice(key.lastIndexOf("/") + 1);
      found.push({ path: key.slice(prefix.length), name, link, sizeBytes: size, revision, isVideo: null });
    }
    if (found.length > mostFiles) throw tooMany(mostFiles);
  }
  return found;
}

async function* readPages(
  id: string,
  access: Access,
  mostPages: number,
  mostFiles: number,
): AsyncGenerator<Page["files"]> {
  const [bucket, prefix] = [bucketOf(id), keyOf(id)];
  let token: string | null = null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const response = await requestS3({ action: "list", bucket, prefix, token, maxFiles: FILES_PER_PAGE }, access);
    const page = readPage(await response.text());
    yield page.files;
    if (page.next === null || page.next === token) return;
    token = page.next;
  }
  throw tooMany(mostFiles);
}

type Page = { files: { key: string; size: number | null; etag: string | null }[]; next: string | null };

/** Throws ClipmillError for a truncated body or one that is no list. */
function readPage(xml: string): Page {
  if (!/<\/ListBucketResult>\s*$/.test(xml)) {
    throw new ClipmillError("network", "The storage service returned an unreadable list. Retry later.");
  }
  const isEncoded = elementOf(xml, "EncodingType") === "url";
  const decode = (text: string) => (isEncoded ? decodeUrl(text) : unescapeXml(text));
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content]) => {
    const size = Number(elementOf(content!, "Size") ?? Number.NaN);
    const etag = elementOf(content!, "ETag");
    return {
      key: decode(elementOf(content!, "Key") ?? ""),
      size: Number.isSafeInteger(size) ? size : null,
      etag: etag === null ? null : unescapeXml(etag).replaceAll('"', ""),
    };
  });
  const next = elementOf(xml, "NextContinuationToken");
  return { files, next: next === null ? null : unescapeXml(next) };
}

function elementOf(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null;
}

/** Stores encode spaces as "+". */
function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()]!;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

function toListedFile(bucket: string, key: string, size: number | null): ListedFile {
  const name = key.slice(key.lastIndexOf("/") + 1);
  if (/[,\n\r]/.test(key) || key !== key.trimEnd()) {
    throw new ClipmillError(
      "bad_link",
      `The file "${name.trim().slice(0, 100)}" has a comma, line break or space in its name that a list of links cannot contain. Rename it, then retry.`,
    );
  }
  return { link: `s3://${bucket}/${key}`, name, size_bytes: size };
}

function inOrder(files: ListedFile[]): ListedFile[] {
  if (files.length > 0) return files.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  throw new ClipmillError(
    "source_not_found",
    "No video or audio files found in this folder of the bucket. Check the link.",
  );
}

const tooMany = (most: number) =>
  new ClipmillError(
    "too_large",
    `This folder has more than ${most.toLocaleString("en")} files. Split it into smaller folders.`,
  );

export const s3: SourceHost = {
  links: s3Links,
  services: [],
  // The URL is signed for GET: one byte is requested instead of HEAD.
  async describe(link, access) {
    const response = await requestFile(link, access, { start: 0, end: 0 });
    response.body.destroy();
    return factsOf(link, response);
  },
  async open(link, access, { range }) {
    const response = await requestFile(link, access, range);
    return { facts: factsOf(link, response), response, reopen: (other) => requestFile(link, access, other, response) };
  },
  list: listPrefix,
  listEntries: listPrefixEntries,
};

async function requestFile(
  { id }: SourceLink,
  access: Pick<SourceAccess, "get" | "signS3">,
  range?: ByteRange,
  first?: SourceResponse,
): Promise<SourceResponse> {
  const headers = { "accept-encoding": "identity", ...rangeHeaders(range), ...ifUnchanged(first) };
  const response = await requestS3({ action: "get", bucket: bucketOf(id), key: keyOf(id) }, access, headers);
  if (totalBytesOf(response) !== 0) return response;
  // Stores return 200 or 416 for a range of an empty file.
  response.body.destroy();
  throw emptyFile();
}

function factsOf(link: SourceLink, response: SourceResponse): SourceFacts {
  const { etag, "content-type": type } = response.headers;
  return {
    name: s3Links.nameOf(link),
    mimeType: type?.split(";")[0]?.trim() || "application/octet-stream",
    sizeBytes: totalBytesOf(response),
    revision: etag ?? null,
  };
}
