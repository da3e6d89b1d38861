import { ClipmillError } from "#contract/errors.ts";
import { requireFreeSpace } from "#media/free-space.ts";

/** Concurrent uploads per server; each browser sends two. */
const MAX_CONCURRENT = 16;
const TOO_MANY = "Too many files are being uploaded at the moment. Wait for one to finish, then try again.";

/** An upload in progress and its remaining bytes. */
export type UploadInProgress = { leftBytes: number };

/**
 * Adds an upload to `underWay`; dispose of it at the end. Throws ClipmillError "too_many", and "no_space" if the disk
 * of `folder` cannot hold all announced uploads.
 */
export async function admitUpload(
  underWay: Set<UploadInProgress>,
  folder: string,
  announcedBytes: number,
): Promise<UploadInProgress & Disposable> {
  if (underWay.size >= MAX_CONCURRENT) throw new ClipmillError("too_many", TOO_MANY, { retryAfterSeconds: 5 });
  const upload = { leftBytes: announcedBytes, [Symbol.dispose]: () => void underWay.delete(upload) };
  underWay.add(upload);
  try {
    await requireSpaceFor(underWay, folder, 0);
    return upload;
  } catch (error) {
    underWay.delete(upload);
    throw error;
  }
}

/**
 * Throws ClipmillError "no_space" if the disk of `folder` cannot hold all uploads in progress and another one of
 * `bytes`.
 */
export async function requireSpaceFor(
  underWay: ReadonlySet<UploadInProgress>,
  folder: string,
  bytes: number,
): Promise<void> {
  await requireFreeSpace(
    folder,
    [...underWay].reduce((sum, { leftBytes }) => sum + Math.max(leftBytes, 0), bytes),
  );
}

/** Passes chunks on, and subtracts them from the remaining bytes. */
export async function* countDown(
  body: AsyncIterable<Uint8Array>,
  upload: UploadInProgress,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    upload.leftBytes -= piece.length;
    yield piece;
  }
}
