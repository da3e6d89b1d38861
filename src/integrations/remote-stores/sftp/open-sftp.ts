import { Readable } from "node:stream";
import type { FileEntryWithStats, ReadStream, ReadStreamOptions } from "ssh2";
import { ClipmillError } from "#contract/errors.ts";
import { checksumOfStream } from "../checksums.ts";
import { requirePlainName } from "../plain-name.ts";
import type { RemoteEntry, RemoteStore } from "../remote-store.ts";
import { connectSftp, type SftpAccess, type SftpCredentials, type SftpSession } from "./connect-sftp.ts";
import { factsOf, statOrNull, toEntry } from "./sftp-entries.ts";
import { uploadToSftp } from "./upload-to-sftp.ts";

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
