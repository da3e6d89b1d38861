import { ClipmillError } from "#contract/errors.ts";
import { createDigest, type Checksum, type ChecksumAlgorithm } from "#integrations/remote-stores/checksums.ts";
import type { RemoteEntry, RemoteStore } from "#integrations/remote-stores/remote-store.ts";

const BY_CHECKSUM = /^(md5|sha256|dropbox) ([0-9a-f]+)$/;

/** In a row, without a byte between them. */
const MAX_CUTS = 3;

type Version = { folder: string; path: string; name: string; revision: string; sizeBytes: number | null };

type Connection = { open: () => Promise<RemoteStore>; drop: () => Promise<void> };

/**
 * Resumes after lost connections. Throws ClipmillError "incomplete" at the end if the bytes are another version's,
 * "network" after repeated losses, or the store's errors.
 */
export async function* readVersion(
  connection: Connection,
  version: Version,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
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
export function revisionOf({ checksum, sizeBytes, modifiedAt }: RemoteEntry): string {
  return checksum ? `${checksum.algorithm} ${checksum.value}` : `${sizeBytes} ${modifiedAt}`;
}

function checksumOf(revision: string): Checksum | null {
  const [, algorithm, value] = BY_CHECKSUM.exec(revision) ?? [];
  return algorithm === undefined ? null : { algorithm: algorithm as ChecksumAlgorithm, value: value! };
}
