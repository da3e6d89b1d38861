import { ClipmillError } from "#contract/errors.ts";
import type { MakeLinksResponse } from "#contract/links/job-links.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { lockJob } from "../lock-job.ts";
import { makeLinks } from "./make-links.ts";

/** Idempotent. Throws ClipmillError "not_found", or "conflict" unless the job is completed. */
export function makeMissingLinks(
  context: Pick<Context, "db"> & ActorContext,
  jobId: string,
): Promise<MakeLinksResponse> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", "The job does not exist.");
    if (job.status !== "Completed") throw new ClipmillError("conflict", "Only a completed job has links.");
    const result = await makeLinks(trx, jobId);
    if (result.made > 0) await writeAudit(trx, context.actor, { action: "job.make-links", subjects: [jobId] });
    return result;
  });
}
