import { ClipmillError } from "#contract/errors.ts";
import { requireFreeSpace } from "#media/free-space.ts";

/** Per server and kind; each browser sends two uploads at a time. */
const MAX_CONCURRENT = { library: 16, worker: 64 } as const;
const TOO_MANY = "Too many files are being uploaded at the moment. Wait for one to finish, then try again.";

/** `kind` is "library" if absent. "worker" is a finished file of a worker without the database. */
export type UploadInProgress = { leftBytes: number; kind?: keyof typeof MAX_CONCURRENT };

/**
 * Dispose of the upload at the end. Throws ClipmillError "too_many", or "no_space" if the folder's disk cannot hold all
 * announced uploads.
 */
export async function admitUpload(
  underWay: Set<UploadInProgress>,
  folder: string,
  announcedBytes: number,
  kind: keyof typeof MAX_CONCURRENT = "library",
): Promise<UploadInProgress & Disposable> {
  const others = [...underWay].filter((upload) => (upload.kind ?? "library") === kind);
  if (others.length >= MAX_CONCURRENT[kind]) throw new ClipmillError("too_many", TOO_MANY, { retryAfterSeconds: 5 });
  const upload = { kind, leftBytes: announcedBytes, [Symbol.dispose]: () => void underWay.delete(upload) };
  underWay.add(upload);
  try {
    await requireSpaceFor(underWay, folder, 0);
    return upload;
  } catch (error) {
    underWay.delete(upload);
    throw error;
  }
}

/** Throws ClipmillError "no_space" if the folder's disk cannot hold the uploads in progress and `bytes` more. */
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

export async function* countDown(
  body: AsyncIterable<Uint8Array>,
  upload: UploadInProgress,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    upload.leftBytes -= piece.length;
    yield piece;
  }
}
