/** Writes an opened file to disk, resuming interrupted downloads. */
import { type FileHandle, open, rm } from "node:fs/promises";
import { explainFullDisk } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import type { OpenedFile } from "./google-drive-open.ts";
import { refusals } from "./google-drive-refusals.ts";
import { type DriveAccess, explainDriveNetworkError } from "./google-drive-request.ts";
import type { GuardedAnswer } from "../guarded-fetch.ts";

const MAX_RESUMES = 3;

export type SaveOptions = {
  /** Removed on failure. */
  toPath: string;
  maxBytes: number;
  onProgress?(receivedBytes: number, totalBytes: number | null): void;
};

/** The connection ended before the body did. */
class CutShort extends Error {}

/**
 * Streams an opened file to `toPath` and returns its size. Throws too_large, incomplete, network, no_space and
 * cancelled.
 */
export async function saveOpenedFile(opened: OpenedFile, options: DriveAccess & SaveOptions): Promise<number> {
  try {
    await using handle = await open(options.toPath, "w");
    return await receive(opened, handle, options);
  } catch (error) {
    opened.answer.body.destroy();
    await rm(options.toPath, { force: true });
    throw explainFullDisk(error);
  }
}

async function receive(opened: OpenedFile, handle: FileHandle, options: DriveAccess & SaveOptions): Promise<number> {
  const { totalBytes } = opened;
  if (totalBytes !== null && totalBytes > options.maxBytes) throw refusals.tooLarge(options.maxBytes);
  let { answer } = opened;
  let received = 0;
  for (let resumes = 0; ; resumes += 1) {
    let wasCut = false;
    try {
      for await (const chunk of chunksOf(answer, options)) {
        if (received + chunk.length > options.maxBytes) throw refusals.tooLarge(options.maxBytes);
        await handle.write(chunk, 0, chunk.length, received);
        received += chunk.length;
        options.onProgress?.(received, totalBytes);
      }
    } catch (error) {
      if (!(error instanceof CutShort)) throw error;
      wasCut = true;
    }
    if (!wasCut && (totalBytes === null || received === totalBytes)) return received;
    if (resumes === MAX_RESUMES) throw refusals.incomplete({ received, totalBytes });
    answer = await opened.reopen(received);
    received = startOfResumed(answer, opened.answer, received);
    await handle.truncate(received);
  }
}

/** Returns where a resumed response starts: at `asked`, or at 0 if the server ignored the range. */
function startOfResumed(answer: GuardedAnswer, first: GuardedAnswer, asked: number): number {
  const isOther = answer.headers.etag !== first.headers.etag;
  const start = answer.status === 206 ? Number(/^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "")?.[1]) : 0;
  if (!isOther && (start === asked || start === 0)) return start;
  answer.body.destroy();
  throw isOther ? refusals.changed({ asked }) : refusals.incomplete({ asked, start });
}

/** Yields the body. Throws CutShort for a cut connection, ClipmillError for silence or a cancel. */
async function* chunksOf(answer: GuardedAnswer, access: DriveAccess): AsyncGenerator<Buffer> {
  try {
    yield* answer.body as AsyncIterable<Buffer>;
  } catch (error) {
    const isSilent = hasCode(error, "UND_ERR_BODY_TIMEOUT");
    if (access.signal.aborted || isSilent) throw explainDriveNetworkError(error, access);
    throw new CutShort();
  }
}
