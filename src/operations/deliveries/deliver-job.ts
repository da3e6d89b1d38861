import type { z } from "zod";
import type { Delivery } from "#contract/destinations/deliveries.ts";
import type { deliverSchema } from "#contract/destinations/destination-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { destinationGone } from "../destinations/change-destination.ts";
import { selectDestinations } from "../destinations/select-destinations.ts";
import { lockJob } from "../jobs/lock-job.ts";
import { readDelivery } from "./list-deliveries.ts";
import { requireFiles } from "./require-files.ts";
import { startDelivery } from "./start-deliveries.ts";

/**
 * Returns the new delivery, or the one in progress. Throws ClipmillError "not_found", or "conflict" (running
 * job, no files, or destination turned off).
 */
export async function deliverJob(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  { job_id: jobId, destination_id: destinationId }: z.output<typeof deliverSchema>,
): Promise<Delivery> {
  const id = await context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", "The job does not exist.");
    if (!isFinal(job.status)) {
      throw new ClipmillError("conflict", "The job is still running. You can deliver its files when it ends.");
    }
    await requireFiles(trx, jobId);
    const destination = await selectDestinations(trx).where("id", "=", destinationId).executeTakeFirst();
    if (!destination) throw destinationGone();
    if (!destination.enabled) {
      throw new ClipmillError(
        "conflict",
        `The destination "${destination.name}" is turned off. Turn it on in Settings.`,
      );
    }
    await writeAudit(trx, context.actor, { action: "job.deliver", subjects: [jobId] });
    return await startDelivery(context, trx, jobId, destination);
  });
  return (await readDelivery(context, id))!;
}
