import { ClipmillError } from "#contract/errors.ts";
import { requireFreeSpace } from "#media/free-space.ts";

/** What all operators together may send to one server at a time; each browser sends two. */
const MOST_AT_ONCE = 16;
const TOO_MANY = "Too many files are being uploaded at the moment. Wait for one of them, then try again.";

/** An upload that is on its way, and what of it is still to come. */
export type UploadUnderWay = { leftBytes: number };

/**
 * Takes an upload among those that are `underWay`; dispose of it in the end. Throws ClipmillError "too_many", and "no_space" when
 * the disk of `folder` cannot hold what all of them have announced.
 */
export async function admitUpload(
  underWay: Set<UploadUnderWay>,
  folder: string,
  announcedBytes: number,
): Promise<UploadUnderWay & Disposable> {
  if (underWay.size >= MOST_AT_ONCE) throw new ClipmillError("too_many", TOO_MANY, { retryAfterSeconds: 5 });
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
