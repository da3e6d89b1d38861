import type { Readable } from "node:stream";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { ByteRange } from "#contract/sources/source-host.ts";
import type { Checksum } from "./checksums.ts";

export type RemoteEntry = {
  /** Survives renames, except at SFTP, where it is the path. */
  id: string;
  name: string;
  isFolder: boolean;
  sizeBytes: number | null;
  /** ISO date; null if unknown. */
  modifiedAt: string | null;
  checksum: Checksum | null;
  /** Null if the service reports only the name. */
  isVideo: boolean | null;
};

export type UploadSource = {
  sizeBytes: number;
  read(start: number): Readable;
  /** The last value passed to `onCheckpoint` for the same bytes, or null. */
  checkpoint: string | null;
  /** Called when the upload becomes resumable. Encrypt the checkpoint: it may grant access to the upload. */
  onCheckpoint(checkpoint: string): Promise<void>;
};

/**
 * `folder` is a path at Dropbox ("" is the root) and SFTP, an id at Google Drive. All functions throw ClipmillError:
 * bad_key, not_shared, source_not_found, no_space, rate_limited (with retryAfterSeconds), network and cancelled. They
 * retry only after short delays that a service requests.
 */
export type RemoteStore = {
  /** In no particular order. */
  list(folder: string): AsyncIterable<RemoteEntry>;
  find(folder: string, name: string): Promise<RemoteEntry | null>;
  /** Creates the folder if missing. */
  ensureFolder(folder: string, name: string): Promise<string>;
  /** Replaces an existing file. A partial file is never visible. */
  upload(folder: string, name: string, source: UploadSource): Promise<RemoteEntry>;
  /** SFTP has no checksums, so the file is read back. */
  checksum(entry: RemoteEntry): Promise<Checksum>;
  /** The caller must read or destroy the stream. */
  download(entry: RemoteEntry, range?: ByteRange): Promise<Readable>;
  rename(folder: string, entry: RemoteEntry, name: string): Promise<void>;
  /** Idempotent: a missing file or folder is no error. */
  remove(entry: RemoteEntry): Promise<void>;
  close(): Promise<void>;
};

export function requirePlainName(name: string): string {
  if (name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name)) return name;
  throw new ClipmillError(
    "bad_link",
    "Names of files and folders can't be empty or contain a slash. Choose another name.",
  );
}

/** Yields chunks of exactly `size` bytes; the last may be shorter. */
export async function* readChunks(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of stream) {
    for (let start = 0; start < bytes.length;) {
      const part = bytes.subarray(start, start + size - length);
      parts.push(part);
      start += part.length;
      length += part.length;
      if (length < size) continue;
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}

/** Throws ClipmillError "network" for anything but the expected JSON. `service` names the sender. */
export function parseJsonResponse<Schema extends z.ZodType>(
  body: string,
  schema: Schema,
  service: string,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(body));
  } catch (error) {
    throw new ClipmillError("network", `${service} returned an unreadable response. Retry later.`, { cause: error });
  }
}
