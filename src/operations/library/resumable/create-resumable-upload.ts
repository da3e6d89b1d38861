import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { UPLOAD_USES, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { parseInput } from "../../parse-input.ts";
import { requireSpaceFor } from "../admit-upload.ts";
import type { UploadIntake } from "../upload-intake.ts";
import { uploadNameSchema } from "../upload-name.ts";

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
