/** Resumes downloads, and verifies a file before naming it. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";
import { isMissing } from "#ground/error-code.ts";
import type { ApiClient } from "../api/api-client.ts";
import { explainNoResponse, mayPass } from "../api/explain-error.ts";

export type RemoteFile = {
  id: string;
  name: string;
  sizeBytes: number;
  /** Hex; null if unknown. */
  sha256: string | null;
  /** Relative, signed. */
  url: string;
};

export type DownloadOptions = {
  folder: string;
  overwrites: boolean;
  renewUrl: (id: string) => Promise<string>;
  onBytes: (count: number) => void;
};

const IDLE_MS = 60_000;
const PATIENCE_MS = 300_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** Storage links expire too. */
const MOST_REJECTIONS = 5;
/** A file damaged twice is damaged on the server. */
const MOST_READS = 2;

/**
 * Returns "kept" if the folder has the file. Throws ClipmillError "conflict" for another file with this name, "damaged"
 * for a wrong checksum, and the folder's system errors.
 */
export async function downloadFile(
  api: ApiClient,
  file: RemoteFile,
  options: DownloadOptions,
): Promise<"new" | "kept"> {
  const target = path.join(options.folder, file.name);
  const present = await compare(target, file);
  if (present === "same") return "kept";
  if (present === "other" && !options.overwrites) {
    throw new ClipmillError(
      "conflict",
      `${target} already exists with different content. Move it, choose another folder, or add --overwrite.`,
    );
  }
  // Names the content: a file that was made again never continues the old one, and files with the same content do not
  // share a part.
  const key = sha256Of(`${file.id} ${file.sha256}`).slice(0, 32);
  const part = path.join(options.folder, `.${key}.clipmill-part`);
  for (let read = 1; read <= MOST_READS; read += 1) {
    await complete(api, file, part, options);
    if (file.sha256 === null || (await sha256OfFile(part).catch(nullIfMissing)) === file.sha256) {
      if (await moveTo(target, part, file)) return "new";
    }
    // Another run of this command finished, and a third may have started the part again.
    if ((await compare(target, file)) === "same") return "kept";
    await rm(part, { force: true });
  }
  throw new ClipmillError(
    "damaged",
    `${file.name} arrived damaged: its checksum does not match the server's. Try again.`,
  );
}

async function compare(target: string, file: RemoteFile): Promise<"missing" | "same" | "other"> {
  const found = await lstat(target).catch(nullIfMissing);
  if (!found) return "missing";
  if (!found.isFile() || found.size !== file.sizeBytes) return "other";
  return file.sha256 === null || (await sha256OfFile(target)) === file.sha256 ? "same" : "other";
}

/** Returns false if another run moved it first and something changed it since. */
async function moveTo(target: string, part: string, file: RemoteFile): Promise<boolean> {
  try {
    await rename(part, target);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return (await compare(target, file)) === "same";
  }
}

/** Fetches the rest of `part`. Concurrent runs write the same bytes. */
async function complete(api: ApiClient, file: RemoteFile, part: string, options: DownloadOptions): Promise<void> {
  // A link in place of the part would lead out of the folder.
  await using handle = await open(part, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o666);
  let position = (await handle.stat()).size;
  if (position > file.sizeBytes) {
    await handle.truncate(0);
    position = 0;
  }
  options.onBytes(position);
  let { url } = file;
  let lastByteMs = performance.now();
  let rejections = 0;
  for (let delayMs = FIRST_DELAY_MS; position < file.sizeBytes;) {
    const before = position;
    const piece = await readFrom(api, url, handle, { position, sizeBytes: file.sizeBytes }, options.onBytes);
    position = piece.position;
    if (piece.hasExpired) {
      rejections += 1;
      if (rejections > MOST_REJECTIONS) throw new ClipmillError("forbidden", `The server does not send ${file.name}.`);
      url = await options.renewUrl(file.id);
    }
    if (position > before) {
      lastByteMs = performance.now();
      delayMs = FIRST_DELAY_MS;
    } else if (performance.now() - lastByteMs > PATIENCE_MS || (piece.error && !mayPass(piece.error))) {
      throw explainNoResponse(piece.error, api.server);
    }
    if (piece.error !== null || piece.hasExpired) {
      await delay(delayMs, undefined, { signal: api.signal }).catch(() => api.signal.throwIfAborted());
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
    }
  }
  await handle.sync();
}

type Piece = { position: number; error: unknown; hasExpired: boolean };

/** Returns a network error. Throws disk errors and error responses. */
async function readFrom(
  api: ApiClient,
  url: string,
  handle: FileHandle,
  { position: start, sizeBytes }: { position: number; sizeBytes: number },
  onBytes: (count: number) => void,
): Promise<Piece> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new DOMException("No data", "TimeoutError")), IDLE_MS);
  const signal = AbortSignal.any([api.signal, idle.signal]);
  let position = start;
  try {
    // The signed link needs no token, and may redirect to the storage.
    const headers = start > 0 ? { Range: `bytes=${start}-` } : {};
    const response = await api.send(() => fetch(addressOf(api, url), { headers, signal }), {
      isRepeatable: true,
      timeoutMs: null,
    });
    if (response.status === 403) return { position, error: null, hasExpired: true };
    if (!response.ok || !response.body) {
      throw new ClipmillError("unavailable", `The server no longer has this file (status ${response.status}).`);
    }
    // A server that ignores the range sends everything again.
    if (response.status !== 206) {
      onBytes(-start);
      position = 0;
    }
    const pieces = response.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await pieces.next().catch((error: unknown) => ({ error }));
      if ("error" in next) {
        api.signal.throwIfAborted();
        return { position, error: next.error, hasExpired: false };
      }
      if (next.done) break;
      timer.refresh();
      const bytes = next.value.subarray(0, sizeBytes - position);
      await writeAll(handle, bytes, position);
      position += bytes.length;
      onBytes(bytes.length);
      if (position >= sizeBytes) {
        await pieces.return?.();
        break;
      }
    }
    return { position, error: position < sizeBytes ? new Error("The response ended early.") : null, hasExpired: false };
  } finally {
    clearTimeout(timer);
  }
}

/** Requires a link below the server's address. Throws ClipmillError "unavailable". */
export function addressOf(api: ApiClient, url: string): string {
  if (/^\/(?![/\\])/.test(url)) return api.server + url;
  throw new ClipmillError("unavailable", "The server sent a link to another server instead of a file.");
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
