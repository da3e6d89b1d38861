import { ClipmillError } from "#contract/errors.ts";
import { type ConnectedKind, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import { driveFolderId } from "#contract/watch-folders/watch-place.ts";
import { type Checksum, type ChecksumAlgorithm, createDigest } from "#integrations/remote-stores/checksums.ts";
import type { RemoteEntry, RemoteStore } from "#integrations/remote-stores/remote-store.ts";
import type { LibraryContext } from "../../library/keep-upload.ts";
import { receiveUpload } from "../../library/receive-upload.ts";
import type { UploadIntake } from "../../library/upload-intake.ts";
import { type ListedFile, tooManyFiles, type WatchedFiles } from "../check/compare-listing.ts";

type RemoteFolder = {
  kind: ConnectedKind;
  place: string;
  /** Called again after a lost connection. */
  open: () => Promise<RemoteStore>;
  intake: UploadIntake;
  signal: AbortSignal;
};

/** Connects on first use. */
export function openRemoteFiles(
  context: LibraryContext,
  { kind, place, open, intake, signal }: RemoteFolder,
): WatchedFiles {
  const folder = kind === "drive" ? (driveFolderId(place) ?? place) : place;
  let opened: Promise<RemoteStore> | null = null;
  const drop = async (): Promise<void> => {
    const lost = opened;
    opened = null;
    await lost?.then((store) => store.close()).catch(() => {});
  };
  const connection = { open: () => (opened ??= open()), drop };
  return {
    list: async () => await listFiles(await connection.open(), folder),
    async copy({ path, name, revision, size_bytes: sizeBytes }, use = "video") {
      const version = { folder, path, name, revision, sizeBytes };
      const body = readVersion(connection, version, signal);
      const upload = { name, use, announcedBytes: sizeBytes, body, signal };
      return (await receiveUpload(context, intake, upload)).data.link;
    },
    [Symbol.asyncDispose]: drop,
  };
}

async function listFiles(store: RemoteStore, folder: string): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const entry of store.list(folder)) {
    const { id: path, name, sizeBytes, isVideo, isFolder } = entry;
    if (isFolder) continue;
    found.push({ path, name, link: null, sizeBytes, revision: revisionOf(entry), isVideo, leftOut: null });
    if (found.length > WATCH_LIMITS.files) throw tooManyFiles();
  }
  return found;
}

const BY_CHECKSUM = /^(md5|sha256|dropbox) ([0-9a-f]+)$/;

/** In a row, without a byte between them. */
const MAX_CUTS = 3;

type Version = { folder: string; path: string; name: string; revision: string; sizeBytes: number | null };

type Connection = { open: () => Promise<RemoteStore>; drop: () => Promise<void> };

/**
 * Resumes after lost connections. Throws ClipmillError "incomplete" at the end if the bytes are another version's,
 * "network" after repeated losses, or the store's errors.
 */
async function* readVersion(connection: Connection, version: Version, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { path, name, sizeBytes, revision } = version;
  const entry = { id: path, name, sizeBytes, isFolder: false, modifiedAt: null, checksum: null, isVideo: null };
  const expected = checksumOf(revision);
  const digest = expected && createDigest(expected.algorithm);
  let start = 0;
  for (let cuts = 0; start < (sizeBytes ?? 0);) {
    try {
      const body = await (await connection.open()).download(entry, { start, end: null });
      for await (const bytes of body as AsyncIterable<Uint8Array>) {
        start += bytes.length;
        cuts = 0;
        digest?.update(bytes);
        yield bytes;
      }
      break;
    } catch (error) {
      cuts += 1;
      if (signal.aborted || cuts > MAX_CUTS || !isCut(error)) throw explain(error);
      await connection.drop();
    }
  }
  const isSame = start === sizeBytes && (expected ? expected.value === digest!.end().value : await isUnchanged());
  if (!isSame) throw new ClipmillError("incomplete", "This file changed while it was being read.");

  async function isUnchanged(): Promise<boolean> {
    const now: RemoteEntry | null = await (await connection.open()).find(version.folder, name);
    return now !== null && revisionOf(now) === revision;
  }
}

function isCut(error: unknown): boolean {
  return !(error instanceof ClipmillError) || error.code === "network";
}

function explain(error: unknown): ClipmillError {
  if (error instanceof ClipmillError) return error;
  return new ClipmillError("network", "The connection was lost while this file was being read.", { cause: error });
}

/** By content, or by size and time where the service has no checksums. */
function revisionOf({ checksum, sizeBytes, modifiedAt }: RemoteEntry): string {
  return checksum ? `${checksum.algorithm} ${checksum.value}` : `${sizeBytes} ${modifiedAt}`;
}

function checksumOf(revision: string): Checksum | null {
  const [, algorithm, value] = BY_CHECKSUM.exec(revision) ?? [];
  return algorithm === undefined ? null : { algorithm: algorithm as ChecksumAlgorithm, value: value! };
}
