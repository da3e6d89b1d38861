import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review } from "#contract/jobs/outputs/review.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { readJobOutputsById } from "../read/read-job.ts";
import { auditReviews } from "./audit-reviews.ts";

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
