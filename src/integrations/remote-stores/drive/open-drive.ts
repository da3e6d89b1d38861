import type { Readable } from "node:stream";
import { z } from "zod";
import { explainDriveRefusal } from "#contract/connections/drive-refusals.ts";
import { ClipmillError } from "#contract/errors.ts";
import { rangeHeaders } from "#contract/sources/ranges.ts";
import type { RemoteEntry, RemoteStore } from "../remote-store.ts";
import { type DriveAccess, type DriveCredentials, openAccount } from "./drive-account.ts";
import {
  aboutSchema,
  ENTRIES_PER_PAGE,
  ENTRY_FIELDS,
  entrySchema,
  FOLDER_TYPE,
  pageSchema,
  toEntry,
} from "./drive-entries.ts";
import { uploadToDrive } from "./upload-to-drive.ts";

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
      const answer = await account.request(pathOf(id), { alt: "media" }, { headers: rangeHeaders(range) });
      if (answer.status === 200 || answer.status === 206) return answer.body as unknown as Readable;
      throw explainDriveRefusal(answer, await answer.text(), connection);
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

/** Returns the email address to share folders with. Throws ClipmillError for a refusal. */
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
