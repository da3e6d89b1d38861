import { z } from "zod";
import type { UploadResponse } from "#contract/calls.ts";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { UPLOAD_USES, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { parseInput } from "../../parse-input.ts";
import { admitUpload, countDown, requireSpaceFor } from "../admit-upload.ts";
import { explainUploadError, keepUpload, type LibraryContext, uploadNameSchema } from "../keep-upload.ts";
import { selectLibraryFiles, toLibraryFile } from "../to-library-file.ts";
import type { UploadIntake } from "../upload-intake.ts";
import { uploadNotFound } from "./resumable-uploads.ts";

/** A file rejected for these is rejected every time. After other errors, its bytes are kept to finish later. */
const FILE_ERRORS = new Set<ErrorCode>([
  ...([
    "not_a_video",
    "not_audio",
    "not_an_image",
    "bad_subtitles",
    "unsupported_codec",
    "too_large",
    "too_short",
  ] as const),
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
      if (error instanceof ClipmillError && FILE_ERRORS.has(error.code)) await resumable.remove(id);
      throw error;
    });
  const row = await selectLibraryFiles(context.db).where("library_files.id", "=", fileId).executeTakeFirst();
  if (row) return { data: toLibraryFile(row, context.links), isDuplicate };
  // Deleted since: the sender starts again.
  await resumable.remove(id);
  throw uploadNotFound();
}

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

/** Clients of tus commonly send `filename`. Other fields are dropped. */
const metadataSchema = z
  .object({
    name: uploadNameSchema.optional(),
    filename: uploadNameSchema.optional(),
    use: z.enum(UPLOAD_USES).default("video"),
    fingerprint: z.string().max(200).nullable().default(null),
    screen: z.string().max(40).nullable().default(null),
  })
  .transform(({ name, filename, ...others }) => ({ ...others, name: name ?? filename ?? "upload" }));

/** The bytes come later. Throws ClipmillError "invalid", "too_large", "too_many" or "no_space". */
export async function createResumableUpload(
  intake: UploadIntake,
  { id, accountId, sizeBytes, metadata }: { id: string; accountId: string; sizeBytes: number; metadata: object },
): Promise<void> {
  const fields = parseInput(metadataSchema, metadata);
  if (sizeBytes === 0) throw new ClipmillError("invalid", "This file is empty.");
  if (sizeBytes > uploadLimit(fields.use)) throw new ClipmillError("too_large", uploadTooLarge(fields.use));
  await requireSpaceFor(intake.underWay, intake.resumable.folder, sizeBytes);
  await intake.resumable.create({ ...fields, id, accountId, sizeBytes });
}
