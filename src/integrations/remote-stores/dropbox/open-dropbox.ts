import { Readable } from "node:stream";
import { explainDropboxRefusal } from "#contract/connections/dropbox-refusals.ts";
import { ClipmillError } from "#contract/errors.ts";
import { rangeHeaders } from "#contract/sources/ranges.ts";
import { z } from "zod";
import { requirePlainName } from "../plain-name.ts";
import type { RemoteEntry, RemoteStore } from "../remote-store.ts";
import { type DropboxAccess, type DropboxCredentials, openDropboxAccount } from "./dropbox-account.ts";
import {
  accountSchema,
  ENTRIES_PER_PAGE,
  entrySchema,
  metadataSchema,
  pageSchema,
  toEntry,
} from "./dropbox-entries.ts";
import { uploadToDropbox } from "./upload-to-dropbox.ts";

export function openDropbox(credentials: DropboxCredentials, access: DropboxAccess): RemoteStore {
  const { name: connection } = credentials;
  const account = openDropboxAccount(credentials, access);

  async function find(path: string): Promise<RemoteEntry | null> {
    return await unlessMissing(async () => toEntry(await account.call("files/get_metadata", { path }, entrySchema)));
  }
  return {
    async *list(folder) {
      const path = normalize(folder);
      let page = await account.call("files/list_folder", { path, limit: ENTRIES_PER_PAGE }, pageSchema);
      for (;;) {
        yield* page.entries.map(toEntry);
        if (!page.has_more) return;
        page = await account.call("files/list_folder/continue", { cursor: page.cursor }, pageSchema);
      }
    },
    find: (folder, name) => find(join(folder, name)),
    async ensureFolder(folder, name) {
      const path = join(folder, name);
      try {
        await account.call("files/create_folder_v2", { path, autorename: false }, metadataSchema);
      } catch (error) {
        const isThere =
          error instanceof ClipmillError && String(error.facts["fault"]).startsWith("path/conflict/folder");
        if (!isThere) throw error;
      }
      return path;
    },
    upload: (folder, name, source) => uploadToDropbox({ account, name: connection }, join(folder, name), source),
    async checksum({ id, checksum }) {
      const known = checksum ?? (await find(id))?.checksum;
      if (known) return known;
      throw new ClipmillError("source_not_found", "Dropbox no longer has this file.");
    },
    async download({ id }, range) {
      const answer = await account.read("files/download", { path: id }, rangeHeaders(range));
      if (answer.status === 200 || answer.status === 206) return answer.body as unknown as Readable;
      throw explainDropboxRefusal(answer, await answer.text(), connection);
    },
    async rename(folder, { id }, name) {
      await account.call("files/move_v2", { from_path: id, to_path: join(folder, name) }, metadataSchema);
    },
    async remove({ id }) {
      await unlessMissing(() => account.call("files/delete_v2", { path: id }, metadataSchema));
    },
    close: async () => {},
  };
}

/** Returns the account's email address. Throws ClipmillError for a refusal. */
export async function describeDropbox(credentials: DropboxCredentials, access: DropboxAccess): Promise<string> {
  const account = openDropboxAccount(credentials, access);
  const { email } = await account.call("users/get_current_account", null, accountSchema);
  // Listing is the permission that everything else needs.
  await account.call("files/list_folder", { path: "", limit: 1 }, z.unknown());
  return email;
}

async function unlessMissing<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "source_not_found") return null;
    throw error;
  }
}

/** The root is ""; other folders start with a slash and do not end with one. */
function normalize(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "");
  return parts.length === 0 ? "" : `/${parts.join("/")}`;
}

function join(folder: string, name: string): string {
  return `${normalize(folder)}/${requirePlainName(name)}`;
}
