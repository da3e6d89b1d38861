import type { Readable } from "node:stream";
import { z } from "zod";
import { explainDriveError } from "#contract/connections/drive-errors.ts";
import { ClipmillError } from "#contract/errors.ts";
import { rangeHeaders } from "#contract/sources/ranges.ts";
import type { SourceResponse } from "#contract/sources/source-host.ts";
import {
  parseJsonResponse,
  readChunks,
  type RemoteEntry,
  type RemoteStore,
  type UploadSource,
} from "../remote-store.ts";
import { type DriveAccess, type DriveAccount, type DriveCredentials, openAccount } from "./drive-account.ts";
import {
  aboutSchema,
  ENTRIES_PER_PAGE,
  ENTRY_FIELDS,
  entrySchema,
  FOLDER_TYPE,
  pageSchema,
  toEntry,
} from "./drive-entries.ts";

const FILES = "/drive/v3/files";

/** Opens the folders shared with a service account. Sends no request yet. */
export function openDriveAccount(credentials: DriveCredentials, access: DriveAccess): RemoteStore {
  const { name: connection } = credentials;
  const account = openAccount(credentials, access);

  async function* search(condition: string): AsyncGenerator<RemoteEntry> {
    for (let pageToken: string | undefined; ;) {
      const page = await account.call(
        FILES,
        {
          q: `${condition} and trashed = false`,
          fields: `nextPageToken,files(${ENTRY_FIELDS})`,
          pageSize: ENTRIES_PER_PAGE,
          includeItemsFromAllDrives: "true",
          ...(pageToken !== undefined && { pageToken }),
        },
        pageSchema,
      );
      yield* page.files.map(toEntry);
      if (page.nextPageToken === undefined || page.nextPageToken === pageToken) return;
      pageToken = page.nextPageToken;
    }
  }
  /** Names are not unique: the first entry counts. */
  async function find(folder: string, name: string): Promise<RemoteEntry | null> {
    for await (const entry of search(`${quote(folder)} in parents and name = ${quote(name)}`)) return entry;
    return null;
  }
  return {
    list: (folder) => search(`${quote(folder)} in parents`),
    find,
    async ensureFolder(folder, name) {
      const existing = await find(folder, name);
      if (existing?.isFolder) return existing.id;
      const json = { name, parents: [folder], mimeType: FOLDER_TYPE };
      return (await account.call(FILES, { fields: ENTRY_FIELDS }, entrySchema, { json })).id;
    },
    async upload(folder, name, source) {
      const existing = await find(folder, name);
      return await uploadToDrive({ account, name: connection }, { folder, name, existing }, source);
    },
    async checksum({ id, checksum }) {
      const known = checksum ?? toEntry(await account.call(pathOf(id), { fields: ENTRY_FIELDS }, entrySchema)).checksum;
      if (known) return known;
      throw new ClipmillError("not_a_video", "Google Drive has no checksum of this document.");
    },
    async download({ id }, range) {
      const response = await account.request(pathOf(id), { alt: "media" }, { headers: rangeHeaders(range) });
      if (response.status === 200 || response.status === 206) return response.body as unknown as Readable;
      throw explainDriveError(response, await response.text(), connection);
    },
    async rename(_folder, { id }, name) {
      await account.call(pathOf(id), { fields: ENTRY_FIELDS }, entrySchema, { method: "PATCH", json: { name } });
    },
    async remove({ id }) {
      try {
        await account.call(pathOf(id), {}, z.unknown(), { method: "DELETE" });
      } catch (error) {
        if (!(error instanceof ClipmillError && error.code === "source_not_found")) throw error;
      }
    },
    close: async () => {},
  };
}

/** Returns the email address to share folders with. Throws ClipmillError for an error response. */
export async function describeDrive(credentials: DriveCredentials, access: DriveAccess): Promise<string> {
  const about = await openAccount(credentials, access).call("/drive/v3/about", { fields: "user" }, aboutSchema);
  return about.user.emailAddress;
}

function pathOf(id: string): string {
  return `${FILES}/${encodeURIComponent(id)}`;
}

/** Quotes a search term (developers.google.com/workspace/drive/api/guides/search-files). */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Must be a multiple of 256 KiB. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const MAX_RESTARTS = 3;
/** Sessions expire after a week. */
const LOST = new Set([404, 410]);

type Target = { folder: string; name: string; existing: RemoteEntry | null };

/**
 * Replaces `existing` (developers.google.com/workspace/drive/api/guides/manage-uploads#resumable, read 2026-11-23). The
 * checkpoint is the session's URL; `name` is the connection's.
 */
async function uploadToDrive(
  { account, name: connection }: { account: DriveAccount; name: string },
  target: Target,
  source: UploadSource,
): Promise<RemoteEntry> {
  let session = source.checkpoint ?? (await startSession());
  let found = source.checkpoint === null ? 0 : await askOffset();
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts += 1) {
    if (typeof found === "object") return found;
    if (found === "lost") {
      session = await startSession();
      found = 0;
    }
    found = await append(found);
  }
  throw new ClipmillError("incomplete", "Google Drive lost a part of this upload. Retry later.");

  async function startSession(): Promise<string> {
    const { folder, name, existing } = target;
    const path = existing ? `/upload/drive/v3/files/${encodeURIComponent(existing.id)}` : "/upload/drive/v3/files";
    const response = await account.request(
      path,
      { uploadType: "resumable", fields: ENTRY_FIELDS },
      {
        method: existing ? "PATCH" : "POST",
        json: existing ? {} : { name, parents: [folder] },
        headers: { "x-upload-content-length": String(source.sizeBytes) },
      },
    );
    const body = await response.text();
    const { location } = response.headers;
    if (response.status !== 200 || location === undefined) throw explainDriveError(response, body, connection);
    await source.onCheckpoint(location);
    return location;
  }

  /** Returns the file if complete, or the number of bytes received. */
  async function askOffset(): Promise<RemoteEntry | number | "lost"> {
    return await put(new Uint8Array(), `bytes */${source.sizeBytes}`);
  }

  async function append(start: number): Promise<RemoteEntry | number | "lost"> {
    if (source.sizeBytes === 0) return await put(new Uint8Array(), "bytes */0");
    const stream = source.read(start);
    let offset = start;
    try {
      for await (const chunk of readChunks(stream, CHUNK_BYTES)) {
        const end = offset + chunk.length;
        const reached = await put(chunk, `bytes ${offset}-${end - 1}/${source.sizeBytes}`);
        if (reached !== end) return reached;
        offset = end;
      }
    } finally {
      stream.destroy();
    }
    throw new ClipmillError("incomplete", "The file changed while it was being uploaded.");
  }

  async function put(content: Uint8Array, range: string): Promise<RemoteEntry | number | "lost"> {
    const response = await account.request(
      session,
      {},
      { method: "PUT", content, headers: { "content-range": range } },
    );
    const body = await response.text();
    if (response.status === 200 || response.status === 201)
      return toEntry(parseJsonResponse(body, entrySchema, "Google Drive"));
    if (response.status === 308) return receivedBytes(response);
    if (LOST.has(response.status)) return "lost";
    throw explainDriveError(response, body, connection);
  }
}

/** Without a range, no byte has arrived. */
function receivedBytes({ headers }: SourceResponse): number {
  const last = /^bytes=0-(\d{1,15})$/.exec(headers["range"] ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}
