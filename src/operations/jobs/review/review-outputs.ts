import { sql, type Transaction } from "kysely";
import type { ApprovedResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review } from "#contract/jobs/outputs/review.ts";
import type { Tables } from "#database/tables.ts";
import { type Actor, type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { readJobOutputsById } from "../read/read-job.ts";

const NO_FILE = "This file was deleted or is being made again, so it cannot be reviewed.";

/**
 * A file's last verdict counts. Omits files that were deleted or are being made again; throws ClipmillError "conflict"
 * without any other.
 */
export async function reviewOutputs(
  context: Pick<Context, "db" | "links"> & ActorContext,
  reviews: readonly Review[],
): Promise<JobOutput[]> {
  const given = [...new Map(reviews.map((review) => [review.outputId, review])).values()];
  return context.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; job_id: string }>`
      update job_outputs set verdict = given.verdict, reason = given.reason, updated_at = now(),
        reviewed_at = case when given.verdict is not null then now() end
      from unnest(
        ${given.map(({ outputId }) => outputId)}::uuid[],
        ${given.map(({ verdict }) => verdict)}::text[],
        ${given.map(({ reason }) => reason)}::text[]) as given (id, verdict, reason)
      where job_outputs.id = given.id and status = 'Completed' and storage_key is not null
      returning job_outputs.id, job_id`.execute(trx);
    if (rows.length === 0) throw new ClipmillError("conflict", NO_FILE);
    await auditReviews(trx, context.actor, [...new Set(rows.map((row) => row.job_id))]);
    return readJobOutputsById(
      { db: trx, links: context.links },
      rows.map((row) => row.id),
    );
  });
}

const ACTION = "job.review";
const SAME_REVIEW_MINUTES = 10;

/** One entry per person, job and 10 minutes: a review is hundreds of verdicts. */
async function auditReviews(trx: Transaction<Tables>, actor: Actor, jobIds: readonly string[]): Promise<void> {
  const noted = await trx
    .selectFrom("audit_entries")
    .select("subject")
    .where("action", "=", ACTION)
    .where("email", "=", actor.email)
    .where("subject", "in", [...jobIds])
    .where("created_at", ">", sql<string>`now() - make_interval(mins => ${SAME_REVIEW_MINUTES})`)
    .execute();
  const subjects = jobIds.filter((id) => noted.every(({ subject }) => subject !== id));
  if (subjects.length > 0) await writeAudit(trx, actor, { action: ACTION, subjects });
}

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
