import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { UploadResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type UploadUse, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { admitUpload, countDown } from "./admit-upload.ts";
import { explainUploadError, keepUpload, type LibraryContext } from "./keep-upload.ts";
import type { UploadIntake } from "./upload-intake.ts";

export type Upload = {
  name: string;
  use: UploadUse;
  announcedBytes: number | null;
  body: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
};

/**
 * Returns an existing file with the same content, if any. Throws ClipmillError "too_large" (before reading, if
 * announced), "no_space", "too_many", "cancelled", "invalid", like inspectUpload, or an error of `body`; then leaves
 * nothing behind.
 */
export async function receiveUpload(
  context: LibraryContext,
  intake: UploadIntake,
  upload: Upload,
): Promise<UploadResponse> {
  if ((upload.announcedBytes ?? 0) > uploadLimit(upload.use)) throw tooLarge(upload.use);
  using admitted = await admitUpload(intake.underWay, intake.folder, upload.announcedBytes ?? 0);
  const part = path.join(intake.folder, randomUUID());
  try {
    const digest = await writePart(part, countDown(upload.body, admitted), upload.use);
    return await keepUpload(context, intake, { ...upload, part, digest });
  } catch (error) {
    throw explainUploadError(error, upload.signal);
  } finally {
    await rm(part, { force: true });
  }
}

async function writePart(part: string, body: AsyncIterable<Uint8Array>, use: UploadUse): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = async function* () {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > uploadLimit(use)) throw tooLarge(use);
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(measured, createWriteStream(part, { flags: "wx", mode: 0o600 }));
  if (bytes === 0) throw new ClipmillError("invalid", "This file is empty.");
  return hash.digest("hex");
}

function tooLarge(use: UploadUse): ClipmillError {
  return new ClipmillError("too_large", uploadTooLarge(use));
}
