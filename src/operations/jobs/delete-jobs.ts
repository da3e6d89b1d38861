import type { DeleteJobsResponse } from "#contract/calls.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { isDelivering } from "../deliveries/is-delivering.ts";
import { deleteScheduledFiles, scheduleFileDeletion, SECONDS_OF_REQUEST } from "./delete-scheduled-files.ts";
import { releaseLinks } from "./links/release-links.ts";
import { lockJob } from "./lock-job.ts";

const STILL_RUNNING = "The job is still running. Cancel it first.";
const STILL_DELIVERING = "The job's files are being delivered. Cancel the delivery first.";

/**
 * Refuses jobs that are running or being delivered. Missing jobs count as deleted. Routes stay, without their job,
 * unless `deletesLinks` is true.
 */
export async function deleteJobs(
  context: Pick<Context, "db" | "storage"> & ActorContext,
  jobIds: string[],
  { deletesLinks = false }: { deletesLinks?: boolean } = {},
): Promise<DeleteJobsResponse> {
  const deleted: string[] = [];
  const refused: DeleteJobsResponse["refused"] = [];
  for (const id of new Set(jobIds)) {
    const error = await deleteJob(context, id, deletesLinks);
    if (error === null) deleted.push(id);
    else refused.push({ id, error });
  }
  await deleteScheduledFiles(context, { mostSeconds: SECONDS_OF_REQUEST });
  return { deleted, refused };
}

function deleteJob(
  context: Pick<Context, "db"> & ActorContext,
  id: string,
  deletesLinks: boolean,
): Promise<string | null> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, id);
    if (!job) return null;
    if (!isFinal(job.status)) return STILL_RUNNING;
    if (await isDelivering(trx, id)) return STILL_DELIVERING;
    await releaseLinks(trx, context.actor, id, { isDeleting: deletesLinks });
    await writeAudit(trx, context.actor, { action: "job.delete", subjects: [id] });
    const deleted = await trx
      .deleteFrom("jobs")
      .where("id", "=", id)
      .returning(["id", "output_folder"])
      .executeTakeFirstOrThrow();
    await scheduleFileDeletion(trx, deleted);
    return null;
  });
}
