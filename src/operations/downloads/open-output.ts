import { cleanFileName } from "#contract/clean-name.ts";
import type { Context } from "../context.ts";
import type { Download } from "./download.ts";
import { openStored } from "./open-stored.ts";

/** Throws ClipmillError "not_found". */
export async function openOutput(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["name", "storage_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const fileName = cleanFileName(output?.name ?? "", "output.mp4");
  return openStored(context.storage, output?.storage_key, { fileName, type: "video/mp4", version: versionOf(output) });
}

/** Throws ClipmillError "not_found". */
export async function openThumbnail(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["thumbnail_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const details = { fileName: "thumbnail.jpg", type: "image/jpeg", version: versionOf(output) };
  return openStored(context.storage, output?.thumbnail_key, details);
}

function versionOf(output: { crc32: number | null } | undefined): string {
  return (output?.crc32 ?? 0).toString(16);
}
