import { Readable } from "node:stream";
import { z } from "zod";
import { explainDropboxError } from "#contract/connections/dropbox-errors.ts";
import { ClipmillError } from "#contract/errors.ts";
import { rangeHeaders } from "#contract/sources/ranges.ts";
import {
  parseJsonResponse,
  readChunks,
  type RemoteEntry,
  type RemoteStore,
  requirePlainName,
  type UploadSource,
} from "../remote-store.ts";
import {
  type DropboxAccess,
  type DropboxAccount,
  type DropboxCredentials,
  openDropboxAccount,
} from "./dropbox-account.ts";
import {
  accountSchema,
  ENTRIES_PER_PAGE,
  entrySchema,
  metadataSchema,
  pageSchema,
  sessionSchema,
  toEntry,
} from "./dropbox-entries.ts";

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
      const response = await account.read("files/download", { path: id }, rangeHeaders(range));
      if (response.status === 200 || response.status === 206) return response.body as unknown as Readable;
      throw explainDropboxError(response, await response.text(), connection);
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

/** Returns the account's email address. Throws ClipmillError for an error response. */
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

/** Dropbox advises a multiple of 4 MiB. */
const CHUNK_BYTES = 8 * 1024 * 1024;

const checkpointSchema = z.object({ sessionId: z.string(), offset: z.int().min(0) });
type Checkpoint = z.output<typeof checkpointSchema>;

const MAX_RESTARTS = 3;

/**
 * Uploads in sessions (www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start). `name`
 * is the connection's.
 */
async function uploadToDropbox(
  { account, name }: { account: DropboxAccount; name: string },
  path: string,
  source: UploadSource,
): Promise<RemoteEntry> {
  let at = readCheckpoint(source.checkpoint) ?? (await startSession());
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts += 1) {
    const found = (await append(at)) ?? (await finish(at));
    if (typeof found === "object") return found;
    at = found === "lost" ? await startSession() : { ...at, offset: found };
  }
  throw new ClipmillError("incomplete", "Dropbox lost a part of this upload. Retry later.");

  async function startSession(): Promise<Checkpoint> {
    const response = await account.send("files/upload_session/start", { close: false }, new Uint8Array());
    const body = await response.text();
    if (response.status !== 200) throw explainDropboxError(response, body, name);
    const { session_id: sessionId } = parseJsonResponse(body, sessionSchema, "Dropbox");
    await source.onCheckpoint(JSON.stringify({ sessionId, offset: 0 }));
    return { sessionId, offset: 0 };
  }

  /** Returns null after the last byte, or the session's actual offset. */
  async function append({ sessionId, offset: start }: Checkpoint): Promise<number | "lost" | null> {
    let offset = start;
    if (offset >= source.sizeBytes) return offset === source.sizeBytes ? null : "lost";
    const stream = source.read(offset);
    try {
      for await (const chunk of readChunks(stream, CHUNK_BYTES)) {
        const cursor = { session_id: sessionId, offset };
        const response = await account.send("files/upload_session/append_v2", { cursor, close: false }, chunk);
        const body = await response.text();
        if (response.status === 409 && isLost(body)) return offsetOf(body);
        if (response.status !== 200) throw explainDropboxError(response, body, name);
        offset += chunk.length;
        await source.onCheckpoint(JSON.stringify({ sessionId, offset }));
      }
    } finally {
      stream.destroy();
    }
    if (offset !== source.sizeBytes)
      throw new ClipmillError("incomplete", "The file changed while it was being uploaded.");
    return null;
  }

  async function finish({ sessionId }: Checkpoint): Promise<RemoteEntry | number | "lost"> {
    const cursor = { session_id: sessionId, offset: source.sizeBytes };
    const commit = { path, mode: "overwrite", autorename: false, mute: true };
    const response = await account.send("files/upload_session/finish", { cursor, commit }, new Uint8Array());
    const body = await response.text();
    if (response.status === 409 && isLost(body)) return offsetOf(body);
    if (response.status !== 200) throw explainDropboxError(response, body, name);
    return toEntry({ ...parseJsonResponse(body, entrySchema.omit({ ".tag": true }), "Dropbox"), ".tag": "file" });
  }
}

/** Sessions expire after a week. */
function isLost(body: string): boolean {
  return /"error_summary"\s*:\s*"(?:lookup_failed\/)?(?:not_found|closed|incorrect_offset|not_closed)\//.test(body);
}

/** "incorrect_offset" has its offset beside the tag or inside lookup_failed. */
function offsetOf(body: string): number | "lost" {
  const found = /"correct_offset"\s*:\s*(\d{1,15})\b/.exec(body)?.[1];
  return found === undefined ? "lost" : Number(found);
}

function readCheckpoint(text: string | null): Checkpoint | null {
  if (text === null) return null;
  try {
    return checkpointSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
