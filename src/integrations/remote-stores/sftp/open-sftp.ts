import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { FileEntryWithStats, ReadStream, ReadStreamOptions, Stats } from "ssh2";
import { ClipmillError } from "#contract/errors.ts";
import { checksumOfStream } from "../checksums.ts";
import {
  readChunks,
  type RemoteEntry,
  type RemoteStore,
  requirePlainName,
  type UploadSource,
} from "../remote-store.ts";
import { connectSftp, type SftpAccess, type SftpCredentials, type SftpSession } from "./connect-sftp.ts";

/** The caller must close it. Throws ClipmillError: bad_key, network and cancelled. */
export async function openSftp(credentials: SftpCredentials, access: SftpAccess): Promise<RemoteStore> {
  const session = await connectSftp(credentials, access);
  const { sftp } = session;

  return {
    async *list(folder) {
      const path = normalize(folder);
      const found = await session.call<FileEntryWithStats[]>((done) => sftp.readdir(path, done));
      for (const { filename: name, attrs } of found) {
        if (name === "." || name === ".." || /[/\0]/.test(name)) continue;
        const facts = attrs.isSymbolicLink() ? await statOrNull(session, `${path}/${name}`) : factsOf(attrs);
        // Skips broken links and devices.
        if (facts && (facts.isFolder || facts.isFile)) yield toEntry(path, name, facts);
      }
    },
    async find(folder, name) {
      const path = normalize(folder);
      const facts = await statOrNull(session, `${path}/${requirePlainName(name)}`);
      return facts && toEntry(path, name, facts);
    },
    async ensureFolder(folder, name) {
      const path = `${normalize(folder)}/${requirePlainName(name)}`;
      if ((await statOrNull(session, path))?.isFolder) return path;
      try {
        await session.call((done) => sftp.mkdir(path, done));
      } catch (error) {
        // Another upload may have created it.
        if (!(await statOrNull(session, path))?.isFolder) throw error;
      }
      return path;
    },
    upload: (folder, name, source) =>
      uploadToSftp(session, { folder: normalize(folder), name: requirePlainName(name) }, source),
    async checksum({ id }) {
      try {
        return await checksumOfStream("sha256", openForReading(session, id));
      } catch (error) {
        throw session.explain(error);
      }
    },
    download: async ({ id }, range) => {
      const facts = await statOrNull(session, id);
      if (!facts) throw new ClipmillError("source_not_found", "The SFTP server no longer has this file.");
      const stream = openForReading(session, id, {
        ...(range && { start: range.start, ...(range.end !== null && { end: range.end }) }),
      });
      return Readable.from(readExplained(stream, session), { objectMode: false });
    },
    async rename(folder, { id }, name) {
      await session.call((done) => sftp.rename(id, `${normalize(folder)}/${requirePlainName(name)}`, done));
    },
    async remove({ id, isFolder }: RemoteEntry) {
      if (!(await statOrNull(session, id))) return;
      await session.call((done) => (isFolder ? sftp.rmdir(id, done) : sftp.unlink(id, done)));
    },
    close: () => session.close(),
  };
}

function openForReading({ sftp }: SftpSession, path: string, range: ReadStreamOptions = {}): ReadStream {
  const stream = sftp.createReadStream(path, range);
  // If the connection is lost after the last byte, closing the file fails. Readers still get earlier errors.
  stream.on("error", () => {});
  return stream;
}

async function* readExplained(stream: AsyncIterable<Uint8Array>, session: SftpSession): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw session.explain(error);
  }
}

/** Relative folders are below the user's home. */
function normalize(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "");
  const path = parts.join("/");
  if (folder.startsWith("/")) return `/${path}`.replace(/\/$/, "") || "/.";
  return path === "" ? "." : path;
}

/** Every server accepts packets of this size (draft-ietf-secsh-filexfer-02, section 3). */
const CHUNK_BYTES = 32 * 1024;
const CHUNKS_IN_FLIGHT = 64;
const CHUNKS_PER_CHECKPOINT = 256;

/** Renames after the upload, so that a partial file is never visible. The checkpoint is the temporary name. */
async function uploadToSftp(
  session: SftpSession,
  { folder, name }: { folder: string; name: string },
  source: UploadSource,
): Promise<RemoteEntry> {
  const { sftp } = session;
  const known = source.checkpoint !== null && PART_NAME.test(source.checkpoint) ? source.checkpoint : null;
  const partName = known ?? `.clipmill-${randomBytes(8).toString("hex")}.part`;
  const part = `${folder}/${partName}`;
  if (known === null) await source.onCheckpoint(partName);
  const start = known === null ? 0 : await resumeAt(session, part, source.sizeBytes);
  const handle = await session.call<Buffer>((done) => sftp.open(part, start > 0 ? "r+" : "w", done));
  const stream = source.read(start);
  let offset = start;
  const inFlight = new Set<Promise<void>>();
  try {
    for await (const chunk of readChunks(stream, CHUNK_BYTES)) {
      const at = offset;
      const written = session.call((done) => sftp.write(handle, chunk, 0, chunk.length, at, done));
      const kept = written.finally(() => inFlight.delete(kept));
      // Awaited below; may reject earlier.
      kept.catch(() => {});
      inFlight.add(kept);
      offset += chunk.length;
      if (inFlight.size >= CHUNKS_IN_FLIGHT) await Promise.race(inFlight);
      if ((offset / CHUNK_BYTES) % CHUNKS_PER_CHECKPOINT === 0) await source.onCheckpoint(partName);
    }
    await Promise.all(inFlight);
  } finally {
    stream.destroy();
    await session.call((done) => sftp.close(handle, done)).catch(() => {});
  }
  if (offset !== source.sizeBytes)
    throw new ClipmillError("incomplete", "The file changed while it was being uploaded.");
  await replace(session, part, `${folder}/${name}`);
  const entry = await statOrNull(session, `${folder}/${name}`);
  if (entry?.sizeBytes !== source.sizeBytes) {
    throw new ClipmillError("incomplete", "The SFTP server did not keep the whole file. Retry later.");
  }
  return toEntry(folder, name, entry);
}

const PART_NAME = /^\.clipmill-[0-9a-f]{16}\.part$/;

/** Writes in flight at the interruption may have left gaps, so their bytes are sent again. */
async function resumeAt(session: SftpSession, part: string, sizeBytes: number): Promise<number> {
  const saved = (await statOrNull(session, part))?.sizeBytes ?? 0;
  return saved > sizeBytes ? 0 : Math.max(0, saved - CHUNKS_IN_FLIGHT * CHUNK_BYTES);
}

/** Renames atomically where supported (OpenSSH's posix-rename). Plain SFTP cannot replace files. */
async function replace(session: SftpSession, from: string, to: string): Promise<void> {
  const { sftp } = session;
  try {
    await session.call((done) => sftp.ext_openssh_rename(from, to, done));
  } catch (error) {
    const isLost = error instanceof ClipmillError && (error.code === "cancelled" || error.code === "not_shared");
    if (isLost) throw error;
    if (await statOrNull(session, to)) await session.call((done) => sftp.unlink(to, done));
    await session.call((done) => sftp.rename(from, to, done));
  }
}

type SftpFacts = { sizeBytes: number; isFolder: boolean; isFile: boolean; modifiedAt: string };

/** Follows links. Returns null for a missing file. */
async function statOrNull(session: SftpSession, path: string): Promise<SftpFacts | null> {
  try {
    return factsOf(await session.call<Stats>((done) => session.sftp.stat(path, done)));
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "source_not_found") return null;
    throw error;
  }
}

function factsOf(stats: Pick<Stats, "size" | "mtime" | "isDirectory" | "isFile">): SftpFacts {
  return {
    sizeBytes: stats.size,
    isFolder: stats.isDirectory(),
    isFile: stats.isFile(),
    modifiedAt: new Date(stats.mtime * 1000).toISOString(),
  };
}

function toEntry(folder: string, name: string, { sizeBytes, isFolder, modifiedAt }: SftpFacts): RemoteEntry {
  return {
    id: `${folder}/${name}`,
    name,
    isFolder,
    sizeBytes: isFolder ? null : sizeBytes,
    modifiedAt,
    checksum: null,
    isVideo: null,
  };
}
