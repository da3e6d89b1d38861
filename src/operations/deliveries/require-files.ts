import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

/** Requires the job's lock. Throws ClipmillError "conflict" if there are no files to deliver. */
export async function requireFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  const { files_deleted_at: deletedAt } = await trx
    .selectFrom("jobs")
    .select("files_deleted_at")
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  if (deletedAt !== null) {
    throw new ClipmillError("conflict", "This job's files were deleted when their retention period ended.");
  }
  const file = await trx
    .selectFrom("job_outputs")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "=", "Completed")
    .where("storage_key", "is not", null)
    .where((eb) => eb.or([eb("verdict", "is", null), eb("verdict", "!=", "rejected")]))
    .limit(1)
    .executeTakeFirst();
  if (!file) throw new ClipmillError("conflict", "This job has no files to deliver.");
}
