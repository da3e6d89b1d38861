import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { JobSettings } from "#contract/jobs/jobs.ts";
import { parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Checks that a new job's watermark image is in the library: without it, all videos would fail. Throws ClipmillError
 * "invalid".
 */
export async function requireWatermarkImage(
  trx: Transaction<Tables>,
  { watermark_enabled, watermark_image: link }: Pick<JobSettings, "watermark_enabled" | "watermark_image">,
): Promise<void> {
  if (!watermark_enabled || link === null) return;
  const file = await trx
    .selectFrom("library_files")
    .select("kind")
    .where("id", "=", parseLink(link)?.id ?? "")
    .where("stored_at", "is not", null)
    .executeTakeFirst();
  if (file?.kind === "image") return;
  const title = file ? "Invalid Watermark Image" : "Watermark Image Not Found";
  const description = file
    ? "The watermark image must be an image from the library"
    : "The watermark image is no longer in the library. Choose another one or remove it";
  throw new ClipmillError("invalid", description, { title });
}
