import { createHash, type Hash } from "node:crypto";

/** Lowercase hex. */
export type Checksum = { algorithm: ChecksumAlgorithm; value: string };
export type ChecksumAlgorithm = "md5" | "sha256" | "dropbox";

type Digest = { update(bytes: Uint8Array): void; end(): Checksum };

export function createDigest(algorithm: ChecksumAlgorithm): Digest {
  return algorithm === "dropbox" ? createDropboxDigest() : createPlainDigest(algorithm);
}

export async function checksumOfStream(
  algorithm: ChecksumAlgorithm,
  stream: AsyncIterable<Uint8Array>,
): Promise<Checksum> {
  const digest = createDigest(algorithm);
  for await (const bytes of stream) digest.update(bytes);
  return digest.end();
}

function createPlainDigest(algorithm: "md5" | "sha256"): Digest {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), end: () => ({ algorithm, value: hash.digest("hex") }) };
}

const DROPBOX_BLOCK = 4 * 1024 * 1024;

/** SHA-256 of the SHA-256 of each 4 MiB (www.dropbox.com/developers/reference/content-hash). */
function createDropboxDigest(): Digest {
  const whole = createHash("sha256");
  let block: Hash = createHash("sha256");
  let filled = 0;
  function endBlock(): void {
    whole.update(block.digest());
    block = createHash("sha256");
    filled = 0;
  }
  return {
    update(bytes) {
      for (let start = 0; start < bytes.length;) {
        const part = bytes.subarray(start, start + DROPBOX_BLOCK - filled);
        block.update(part);
        start += part.length;
        filled += part.length;
        if (filled === DROPBOX_BLOCK) endBlock();
      }
    },
    end() {
      if (filled > 0) endBlock();
      return { algorithm: "dropbox", value: whole.digest("hex") };
    },
  };
}
