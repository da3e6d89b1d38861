/** Folders of outside storage in which files are listed, read and written: Dropbox, Google Drive and SFTP. */
import type { Readable } from "node:stream";
import type { ByteRange } from "#contract/sources/source-host.ts";
import type { Checksum } from "./checksums.ts";

/** An entry of a folder. */
export type RemoteEntry = {
  /** Stays the same when a file is renamed; at SFTP, the path. */
  id: string;
  name: string;
  isFolder: boolean;
  /** Null for folders. */
  sizeBytes: number | null;
  /** An ISO date; null if unknown. */
  modifiedAt: string | null;
  /** Null if the service reports none. */
  checksum: Checksum | null;
  /** Null if the service reports only the name. */
  isVideo: boolean | null;
};

/** A file to upload. */
export type UploadSource = {
  sizeBytes: number;
  /** Returns the bytes from an offset to the end. */
  read(start: number): Readable;
  /** The last one that an interrupted upload of the same bytes passed to `onCheckpoint`, or null. */
  checkpoint: string | null;
  /** Called when an interrupted upload could continue later. Sealing it is wise: it may grant the upload. */
  onCheckpoint(checkpoint: string): Promise<void>;
};

/**
 * `folder` names a folder: a path at Dropbox ("" is the root) and SFTP, an id at Google Drive. All functions throw
 * ClipmillError: bad_key, not_shared, source_not_found, no_space, rate_limited (with retryAfterSeconds), network and
 * cancelled. Retries nothing, except after short delays that a service requests.
 */
export type RemoteStore = {
  /** Yields the entries of a folder in no particular order. */
  list(folder: string): AsyncIterable<RemoteEntry>;
  /** Returns the entry of a name, or null. */
  find(folder: string, name: string): Promise<RemoteEntry | null>;
  /** Returns the folder of a name, which is created if it is missing. */
  ensureFolder(folder: string, name: string): Promise<string>;
  /** Writes a file and returns it. Replaces one of the same name, which is never seen half written. */
  upload(folder: string, name: string, source: UploadSource): Promise<RemoteEntry>;
  /** Returns the file's checksum. SFTP has none, so its file is read back. */
  checksum(entry: RemoteEntry): Promise<Checksum>;
  /** Returns the bytes, which must be read or destroyed. */
  download(entry: RemoteEntry, range?: ByteRange): Promise<Readable>;
  /** Renames a file within its folder. */
  rename(folder: string, entry: RemoteEntry, name: string): Promise<void>;
  /** Deletes a file or folder; a missing one counts as deleted. */
  remove(entry: RemoteEntry): Promise<void>;
  close(): Promise<void>;
};
