/**
 * Files in a shared folder, which Dropbox opens only for an account: list_folder with `shared_link`, and
 * get_shared_link_file (www.dropbox.com/developers/documentation/http/documentation, read 2026-11-23). Entries have
 * neither the account's paths nor its ids.
 */
import { z } from "zod";
import { explainDropboxError } from "../../../connections/dropbox-errors.ts";
import { ClipmillError } from "../../../errors.ts";
import { emptyFile, isEmpty } from "../../direct-download.ts";
import type { SourceLink } from "../../link-host.ts";
import { isMediaName } from "../../media-names.ts";
import type { ListedFile } from "../../preflight.ts";
import { rangeHeaders } from "../../ranges.ts";
import { type ByteRange, MAX_FOLDER_FILES, type SourceAccess, type SourceResponse } from "../../source-host.ts";
import { linkInFolder, placeInFolder } from "./links.ts";

/** Keeps a page below the response limit, even with the longest names. */
const FILES_PER_PAGE = 250;
/** Limits requests for a folder with many other files. */
const MAX_PAGES = 50;

const pageSchema = z.object({
  entries: z.array(
    z.object({
      ".tag": z.string(),
      name: z.string().min(1),
      size: z.int().nonnegative().optional(),
      is_downloadable: z.boolean().optional(),
    }),
  ),
  cursor: z.string(),
  has_more: z.boolean(),
});
type Page = z.output<typeof pageSchema>;

type Access = Pick<SourceAccess, "get" | "openDropbox">;

/** Lists video and audio files. Throws ClipmillError. */
export async function listSharedFolder(folder: SourceLink, access: Access): Promise<ListedFile[]> {
  const dropbox = await access.openDropbox(access.get);
  const { url, path } = placeInFolder(folder)!;
  const found: ListedFile[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const response: SourceResponse =
      cursor === null
        ? await dropbox.ask("files/list_folder", { path, shared_link: { url }, limit: FILES_PER_PAGE })
        : await dropbox.ask("files/list_folder/continue", { cursor });
    const body = await response.text();
    if (response.status !== 200) throw explainSharedError(response, body, dropbox.connection, "folder");
    const page = readPage(body);
    found.push(...page.entries.filter(isMedia).map(({ name, size }) => toListedFile(folder, name, size)));
    if (found.length > MAX_FOLDER_FILES) throw tooMany();
    if (!page.has_more || page.cursor === cursor) return inOrder(found);
    cursor = page.cursor;
  }
  throw tooMany();
}

/** Throws ClipmillError. */
export async function requestSharedFile(link: SourceLink, access: Access, range?: ByteRange): Promise<SourceResponse> {
  const dropbox = await access.openDropbox(access.get);
  const response = await dropbox.read("sharing/get_shared_link_file", placeInFolder(link), rangeHeaders(range));
  if (response.status === 200 || response.status === 206) return response;
  if (isEmpty(response)) {
    response.body.destroy();
    throw emptyFile();
  }
  throw explainSharedError(response, await response.text(), dropbox.connection, "file");
}

function isMedia({ ".tag": tag, name, is_downloadable: isDownloadable }: Page["entries"][number]): boolean {
  return tag === "file" && isDownloadable !== false && isMediaName(name);
}

function toListedFile(folder: SourceLink, name: string, size: number | undefined): ListedFile {
  return { link: linkInFolder(folder, name), name, size_bytes: size ?? null };
}

function readPage(body: string): Page {
  try {
    return pageSchema.parse(JSON.parse(body));
  } catch {
    throw new ClipmillError("network", "Dropbox returned an unreadable list. Retry later.");
  }
}

/** sharing.SharedLinkError and files.LookupError. */
function explainSharedError(
  response: SourceResponse,
  body: string,
  connection: string,
  what: "folder" | "file",
): ClipmillError {
  const details = { facts: { status: response.status } };
  if (response.status !== 409) return explainDropboxError(response, body, connection);
  if (/shared_link_access_denied|no_permission/.test(body)) {
    return new ClipmillError(
      "not_shared",
      'This Dropbox folder is not open to everyone. Set its link to "Anyone with this link", without a password, then retry.',
      details,
    );
  }
  if (/unsupported_link_type|shared_link_is_directory|not_folder/.test(body)) {
    return new ClipmillError("bad_link", "This Dropbox link points to something else. Check the link.", details);
  }
  if (/restricted_content|unsupported_content_type/.test(body)) {
    return new ClipmillError("not_shared", "Dropbox does not allow downloading this file.", details);
  }
  if (!/not_found|reset/.test(body)) return explainDropboxError(response, body, connection);
  const sentence =
    what === "folder"
      ? "Dropbox has no folder at this link. The link may have expired, or the folder was removed. Check the link."
      : "Dropbox has no file at this link. The folder's link may have expired, or the file was removed. Check the link.";
  return new ClipmillError("source_not_found", sentence, details);
}

function inOrder(files: ListedFile[]): ListedFile[] {
  if (files.length > 0) return files.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  throw new ClipmillError("source_not_found", "No video or audio files found in this Dropbox folder. Check the link.");
}

const tooMany = () =>
  new ClipmillError(
    "too_large",
    "This folder has more than 1,000 video and audio files. Split it into smaller folders.",
  );
