import { randomBytes } from "node:crypto";
import { ClipmillError } from "#contract/errors.ts";
import { readChunks } from "../read-chunks.ts";
import type { RemoteEntry, UploadSource } from "../remote-store.ts";
import type { SftpSession } from "./connect-sftp.ts";
import { statOrNull, toEntry } from "./sftp-entries.ts";

/** Every server accepts packets of this size (draft-ietf-secsh-filexfer-02, section 3). */
const CHUNK_BYTES = 32 * 1024;
const CHUNKS_IN_FLIGHT = 64;
const CHUNKS_PER_CHECKPOINT = 256;

/** Renames after the upload, so that a partial file is never visible. The checkpoint is the temporary name. */
export async function uploadToSftp(
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
