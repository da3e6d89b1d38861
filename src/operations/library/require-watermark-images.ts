import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/** Without its watermark image, a job's videos would fail. Throws ClipmillError "invalid". */
export async function requireWatermarkImages(
  trx: Transaction<Tables>,
  links: readonly (string | null)[],
): Promise<void> {
  for (const link of new Set(links)) if (link !== null) await requireImage(trx, link);
}

async function requireImage(trx: Transaction<Tables>, link: string): Promise<void> {
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
