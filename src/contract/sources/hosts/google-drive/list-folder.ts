/** Lists a shared Drive folder through the API, which needs a key (developers.google.com/drive/api/reference/rest/v3/files/list). */
import { z } from "zod";
import { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import type { ListedFile } from "../../preflight.ts";
import { baseUrlOf, MAX_FOLDER_FILES, type SourceAccess } from "../../source-host.ts";
import { googleDriveLinks } from "./links.ts";
import { apiHeaders, GOOGLE_API, requestDrive } from "./open-file.ts";
import { explainApiRefusal } from "./refusals.ts";

const FIELDS = "nextPageToken,files(id,name,size,resourceKey)";
/** Keeps a page below the limit of read responses, even with the longest names. */
const FILES_PER_PAGE = 250;
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
      }),
    )
    .default([]),
});
type Page = z.output<typeof pageSchema>;

/** Throws ClipmillError, also for a folder without media, which the API does not tell from one that is not shared. */
export async function listFolder(folder: SourceLink, access: SourceAccess): Promise<ListedFile[]> {
  if (access.googleDriveKey === null) throw needsKey();
  const found: ListedFile[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await requestPage(folder, access, pageToken);
    found.push(...page.files.map(toListedFile));
    if (found.length > MAX_FOLDER_FILES) throw tooMany();
    if (page.nextPageToken === undefined || page.nextPageToken === pageToken) break;
    pageToken = page.nextPageToken;
  }
  if (found.length === 0) throw nothingFound();
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

async function requestPage(folder: SourceLink, access: SourceAccess, pageToken: string | undefined): Promise<Page> {
  const baseUrl = baseUrlOf(access, GOOGLE_API);
  const url = new URL(`${baseUrl}/drive/v3/files`);
  url.search = new URLSearchParams({
    q: `'${folder.id}' in parents and trashed = false and ${MEDIA}`,
    fields: FIELDS,
    pageSize: String(FILES_PER_PAGE),
    supportsAllDrives: "true",
    includeItemsFromAllDrives: "true",
    ...(pageToken !== undefined && { pageToken }),
    key: access.googleDriveKey ?? "",
  }).toString();
  const answer = await requestDrive(url, access, baseUrl, apiHeaders(folder));
  const body = await answer.text();
  if (answer.status === 404) throw nothingFound();
  if (answer.status !== 200) throw explainApiRefusal(answer.status, body, answer.retryAfterSeconds);
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
const tooMany = () =>
  new ClipmillError(
    "too_large",
    "This folder has more than 1,000 video and audio files. Split it into smaller folders.",
  );
const nothingFound = () =>
  new ClipmillError(
    "source_not_found",
    'No video or audio files found in this Google Drive folder. Share it with "Anyone with the link", then retry.',
  );
