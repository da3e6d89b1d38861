import type { Checksum, ChecksumAlgorithm } from "#integrations/remote-stores/checksums.ts";
import type { RemoteEntry } from "#integrations/remote-stores/remote-store.ts";

const BY_CHECKSUM = /^(md5|sha256|dropbox) ([0-9a-f]+)$/;

/** Identifies a version of a file: by its content, or by size and time where the service has no checksums. */
export function revisionOf({ checksum, sizeBytes, modifiedAt }: RemoteEntry): string {
  return checksum ? `${checksum.algorithm} ${checksum.value}` : `${sizeBytes} ${modifiedAt}`;
}

/** Returns the checksum of a version, or null if it is identified by size and time. */
export function checksumOf(revision: string): Checksum | null {
  const [, algorithm, value] = BY_CHECKSUM.exec(revision) ?? [];
  return algorithm === undefined ? null : { algorithm: algorithm as ChecksumAlgorithm, value: value! };
}
