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
    const bytes = [...underWay].reduce((sum, { leftBytes }) => sum + Math.max(leftBytes, 0), 0);
    await requireFreeSpace(folder, bytes);
    return upload;
  } catch (error) {
    underWay.delete(upload);
    throw error;
  }
}
