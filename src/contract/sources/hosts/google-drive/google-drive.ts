/** Uses API v3 with a key, else the public download address. */
import { z } from "zod";
import { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import type { ListedFile } from "../../preflight.ts";
import {
  baseUrlOf,
  type FolderEntry,
  MAX_FOLDER_FILES,
  type SourceAccess,
  type SourceFacts,
  type SourceHost,
} from "../../source-host.ts";
import { googleDriveLinks } from "./links.ts";
import {
  apiHeaders,
  apiUrl,
  GOOGLE_API,
  GOOGLE_DOWNLOAD,
  openPublicly,
  openThroughApi,
  requestDrive,
} from "./open-file.ts";
import { explainApiError, errors } from "./drive-errors.ts";

// Needs an API key (developers.google.com/drive/api/reference/rest/v3/files/list).

const FIELDS = "nextPageToken,files(id,name,size,resourceKey,mimeType,md5Checksum,modifiedTime)";
/** Keeps a page below the response limit, even with the longest names. */
const FILES_PER_PAGE = 250;
const FOLDER_TYPE = "application/vnd.google-apps.folder";
const MEDIA = "(mimeType contains 'video/' or mimeType contains 'audio/')";

const pageSchema = z.object({
  nextPageToken: z.string().optional(),
  files: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        size: z.string().regex(/^\d+$/).transform(Number).optional(),
        resourceKey: z.string().optional(),
        mimeType: z.string().optional(),
        md5Checksum: z.string().optional(),
        modifiedTime: z.string().optional(),
      }),
    )
    .default([]),
});
type Page = z.output<typeof pageSchema>;

/** Throws ClipmillError, even for a folder without media: the API does not distinguish it from an unshared one. */
async function listFolder(folder: SourceLink, access: SourceAccess): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const files of readPages(folder, access, ` and ${MEDIA}`)) {
    found.push(...files.map(toListedFile));
    if (found.length > MAX_FOLDER_FILES) throw tooMany(MAX_FOLDER_FILES);
  }
  if (found.length === 0) throw nothingFound();
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Files of any type. An unshared folder seems empty. */
async function listFolderEntries(folder: SourceLink, access: SourceAccess, mostFiles: number): Promise<FolderEntry[]> {
  const found: FolderEntry[] = [];
  for await (const files of readPages(folder, access, ` and mimeType != '${FOLDER_TYPE}'`)) {
    for (const file of files) {
      const { link, name, size_bytes: sizeBytes } = toListedFile(file);
      const revision = `${file.md5Checksum ?? file.modifiedTime ?? ""} ${sizeBytes ?? ""}`;
      const isVideo = file.mimeType === undefined ? null : file.mimeType.startsWith("video/");
      found.push({ path: file.id, name, link, sizeBytes, revision, isVideo });
    }
    if (found.length > mostFiles) throw tooMany(mostFiles);
  }
  return found;
}

async function* readPages(folder: SourceLink, access: SourceAccess, condition: string): AsyncGenerator<Page["files"]> {
  if (access.googleDriveKey === null) throw needsKey();
  for (let pageToken: string | undefined; ;) {
    const page = await requestPage(folder, access, condition, pageToken);
    yield page.files;
    if (page.nextPageToken === undefined || page.nextPageToken === pageToken) return;
    pageToken = page.nextPageToken;
  }
}

async function requestPage(
  folder: SourceLink,
  access: SourceAccess,
  condition: string,
  pageToken: string | undefined,
): Promise<Page> {
  const baseUrl = baseUrlOf(access, GOOGLE_API);
  const url = new URL(`${baseUrl}/drive/v3/files`);
  url.search = new URLSearchParams({
    q: `'${folder.id}' in parents and trashed = false${condition}`,
    fields: FIELDS,
    pageSize: String(FILES_PER_PAGE),
    supportsAllDrives: "true",
    includeItemsFromAllDrives: "true",
    ...(pageToken !== undefined && { pageToken }),
    key: access.googleDriveKey ?? "",
  }).toString();
  const response = await requestDrive(url, access, baseUrl, apiHeaders(folder));
  const body = await response.text();
  if (response.status === 404) throw nothingFound();
  if (response.status !== 200) throw explainApiError(response.status, body, response.retryAfterSeconds);
  return readPage(body);
}

function readPage(body: string): Page {
  try {
    return pageSchema.parse(JSON.parse(body));
  } catch {
    throw new ClipmillError("network", "Google Drive returned an unreadable response. Retry later.");
  }
}

function toListedFile({ id, name, size, resourceKey }: Page["files"][number]): ListedFile {
  const link = googleDriveLinks.addressOf({ host: "google-drive", id, accessKey: resourceKey ?? null })!;
  return { link, name, size_bytes: size ?? null };
}

const needsKey = () =>
  new ClipmillError("bad_key", "Listing a Google Drive folder needs a Google Drive key. Save one in Settings.");
const tooMany = (most: number) =>
  new ClipmillError(
    "too_large",
    `This folder has more than ${most.toLocaleString("en")} files. Split it into smaller folders.`,
  );
const nothingFound = () =>
  new ClipmillError(
    "source_not_found",
    'No video or audio files found in this Google Drive folder. Share it with "Anyone with the link", then retry.',
  );

const FACTS = "id,name,mimeType,size,md5Checksum,headRevisionId,capabilities/canDownload";

const metadataSchema = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.string().regex(/^\d+$/).transform(Number).optional(),
  md5Checksum: z.string().optional(),
  headRevisionId: z.string().optional(),
  capabilities: z.object({ canDownload: z.boolean().optional() }).optional(),
});

export const googleDrive: SourceHost = {
  links: googleDriveLinks,
  services: [GOOGLE_API, GOOGLE_DOWNLOAD],
  describe,
  open: (link, access, { facts, range }) =>
    facts?.via === "api" ? openThroughApi(link, access, facts, range) : openPublicly(link, access, range),
  list: listFolder,
  listEntries: listFolderEntries,
};

/** The API returns 404 for unshared files too; the public download distinguishes them. */
async function describe(link: SourceLink, access: SourceAccess): Promise<SourceFacts> {
  return (await describeThroughApi(link, access)) ?? describePublicly(link, access);
}

/** The response to a one-byte request has name, size and version. */
async function describePublicly(link: SourceLink, access: SourceAccess): Promise<SourceFacts> {
  const { facts, response } = await openPublicly(link, access, { start: 0, end: 0 });
  response.body.destroy();
  return facts;
}

/** Returns null without a key and on 404. */
async function describeThroughApi(link: SourceLink, access: SourceAccess): Promise<SourceFacts | null> {
  if (access.googleDriveKey === null) return null;
  const url = apiUrl(link, access, { fields: FACTS });
  const response = await requestDrive(url, access, baseUrlOf(access, GOOGLE_API), apiHeaders(link));
  const body = await response.text();
  if (response.status === 404) return null;
  if (response.status !== 200) throw explainApiError(response.status, body, response.retryAfterSeconds);
  const metadata = parseMetadata(body);
  const { name, mimeType, size, md5Checksum, headRevisionId } = metadata;
  if (size === undefined || mimeType === "text/html") throw errors.notVideo({ mimeType });
  if (metadata.capabilities?.canDownload === false) throw errors.downloadForbidden({ canDownload: false });
  return { name, mimeType, sizeBytes: size, revision: md5Checksum ?? headRevisionId ?? `size-${size}`, via: "api" };
}

function parseMetadata(body: string): z.output<typeof metadataSchema> {
  try {
    return metadataSchema.parse(JSON.parse(body));
  } catch {
    throw new ClipmillError("network", "Google Drive returned an unreadable response. Retry later.");
  }
}
