import { admitUpload, countDown } from "../admit-upload.ts";
import { explainUploadError } from "../keep-upload.ts";
import type { UploadIntake } from "../upload-intake.ts";

const NEVER = new AbortController().signal;

/**
 * Returns the number of received bytes. Keeps what arrived before an error. Throws ClipmillError "not_found",
 * "too_many", "no_space", or an error of `body`.
 */
export async function receivePart(intake: UploadIntake, id: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const { sizeBytes } = intake.resumable.find(id);
  const leftBytes = sizeBytes - (await intake.resumable.receivedBytes(id));
  if (leftBytes === 0) return sizeBytes;
  using admitted = await admitUpload(intake.underWay, intake.resumable.folder, leftBytes);
  try {
    return await intake.resumable.append(id, countDown(body, admitted));
  } catch (error) {
    throw explainUploadError(error, NEVER);
  }
}
