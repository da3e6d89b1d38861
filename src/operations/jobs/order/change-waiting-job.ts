import { type RawBuilder, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { ALREADY_FINISHED, isFinal, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { readJob } from "../read/read-job.ts";
import { type LockedJob, lockJob } from "../lock-job.ts";

const NOT_FOUND = "The job does not exist.";
const STOPPING = "The job is being canceled.";

type Change = (
  trx: Transaction<Tables>,
  job: LockedJob,
  /** All of the job's: the queue determines which ones wait. */
  videoIds: string[],
) => Promise<{ start_tag?: number; held_at?: RawBuilder<string> | null } | null>;

/**
 * Locks the job, as every claim does. Null from `change` leaves the row unchanged. Throws ClipmillError "not_found" or
 * "conflict".
 */
export async function changeWaitingJob(
  context: Pick<Context, "db" | "links"> & ActorContext,
  jobId: string,
  action: string,
  change: Change,
): Promise<WholeJob> {
  await context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", NOT_FOUND);
    if (isFinal(job.status)) throw new ClipmillError("conflict", ALREADY_FINISHED);
    if (job.status === "Cancelling") throw new ClipmillError("conflict", STOPPING);
    const videos = await trx.selectFrom("job_videos").select("id").where("job_id", "=", jobId).execute();
    const changes = await change(
      trx,
      job,
      videos.map((video) => video.id),
    );
    if (changes === null) return;
    await trx
      .updateTable("jobs")
      .set({ ...changes, updated_at: sql<string>`now()` })
      .where("id", "=", jobId)
      .execute();
    await writeAudit(trx, context.actor, { action, subjects: [jobId] });
  });
  const job = await readJob(context, jobId);
  if (!job) throw new ClipmillError("not_found", NOT_FOUND);
  return job;
}
