import type { UploadResponse } from "#contract/calls.ts";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { admitUpload } from "../admit-upload.ts";
import { explainUploadError, keepUpload, type LibraryContext } from "../keep-upload.ts";
import { selectLibraryFiles, toLibraryFile } from "../to-library-file.ts";
import type { UploadIntake } from "../upload-intake.ts";
import { uploadNotFound } from "./resumable-uploads.ts";

/** A file refused for these is refused every time. After other errors, its bytes are kept to finish later. */
const FILE_FAULTS = new Set<ErrorCode>([
  ...(["not_a_video", "not_audio", "not_an_image", "unsupported_codec", "too_large", "too_short"] as const),
  ...(["damaged", "incomplete", "unrenderable"] as const),
]);

/**
 * Later calls return the same file. Throws ClipmillError "conflict" while bytes are missing, "not_found", or like
 * receiveUpload; deletes an upload whose file cannot be used.
 */
export async function finishResumableUpload(
  context: LibraryContext,
  intake: UploadIntake,
  id: string,
): Promise<UploadResponse> {
  const { resumable } = intake;
  const { name, use, sizeBytes } = resumable.find(id);
  const received = await resumable.receivedBytes(id);
  if (received < sizeBytes) {
    throw new ClipmillError("conflict", `Only ${received} of the file's ${sizeBytes} bytes have arrived.`);
  }
  const { fileId, isDuplicate } = await resumable
    .keepOnce(id, async (part, signal) => {
      try {
        using stack = new DisposableStack();
        stack.use(await admitUpload(intake.underWay, resumable.folder, 0));
        const digest = await sha256OfFile(part);
        const kept = await keepUpload(context, intake, { part, digest, name, use, signal });
        return { fileId: kept.data.id, isDuplicate: kept.isDuplicate };
      } catch (error) {
        throw explainUploadError(error, signal);
      }
    })
    .catch(async (error: unknown) => {
      if (error instanceof ClipmillError && FILE_FAULTS.has(error.code)) await resumable.remove(id);
      throw error;
    });
  const row = await selectLibraryFiles(context.db).where("library_files.id", "=", fileId).executeTakeFirst();
  if (row) return { data: toLibraryFile(row, context.links), isDuplicate };
  // Deleted since: the sender starts again.
  await resumable.remove(id);
  throw uploadNotFound();
}
