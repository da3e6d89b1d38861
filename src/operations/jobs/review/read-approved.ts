import { sql } from "kysely";
import type { ApprovedResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../../context.ts";

/** Jobs without a zip have no link. Throws ClipmillError "not_found". */
export async function readApproved(context: Pick<Context, "db" | "links">, jobId: string): Promise<ApprovedResponse> {
  const job = await context.db
    .selectFrom("jobs")
    .select(["status", "download_enabled", "files_deleted_at"])
    .where("id", "=", jobId)
    .executeTakeFirst();
  if (!job) throw new ClipmillError("not_found", "The job does not exist.");
  const { files, size_bytes } = await context.db
    .selectFrom("job_outputs")
    .select((eb) => [
      eb.fn.countAll<number>().as("files"),
      sql<number>`coalesce(sum(size_bytes), 0)::float8`.as("size_bytes"),
    ])
    .where("job_id", "=", jobId)
    .where("verdict", "=", "approved")
    .where("storage_key", "is not", null)
    .executeTakeFirstOrThrow();
  const hasZip = files > 0 && job.status === "Completed" && job.download_enabled && job.files_deleted_at === null;
  return {
    download_url: hasZip ? context.links.sign(`/downloads/approved/${jobId}`) : null,
    files,
    size_bytes,
  };
}
