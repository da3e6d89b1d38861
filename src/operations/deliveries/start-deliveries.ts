import { sql, type Transaction } from "kysely";
import type { z } from "zod";
import { type Delivery, OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import type { deliverSchema } from "#contract/destinations/destination-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { destinationGone } from "../destinations/change-destination.ts";
import { type DestinationRow, selectDestinations } from "../destinations/select-destinations.ts";
import { lockJob } from "../jobs/lock-job.ts";
import { readDelivery } from "./list-deliveries.ts";

export const TURNED_OFF = "This destination is turned off. Turn it on in Settings, then retry.";

/** Requires the job's lock. Skips removed destinations. */
export async function startDeliveries(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  jobId: string,
): Promise<void> {
  const { ids } = await trx
    .selectFrom("jobs")
    .select(sql<string[] | null>`settings -> 'destinations'`.as("ids"))
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  if (ids === null || ids.length === 0) return;
  const destinations = await selectDestinations(trx).where("id", "in", ids).execute();
  for (const destination of destinations) await startDelivery(context, trx, jobId, destination);
}

/**
 * Adds new files to a delivery in progress, if any; skips rejected files. Requires the job's lock. Returns the
 * delivery's id.
 */
async function startDelivery(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  jobId: string,
  destination: DestinationRow,
): Promise<string> {
  const open = await trx
    .selectFrom("deliveries")
    .select("id")
    .where("job_id", "=", jobId)
    .where("destination_id", "=", destination.id)
    .where("status", "in", OPEN_DELIVERY)
    // The delivery's end waits for this lock, and then finds the new files.
    .forUpdate()
    .executeTakeFirst();
  if (open) {
    await addFiles(trx, open.id, jobId);
    return open.id;
  }
  const { id, name, kind, enabled } = destination;
  const off = { status: "Failed", error_message: TURNED_OFF, ended_at: sql<string>`now()` } as const;
  const started = await trx
    .insertInto("deliveries")
    .values({ job_id: jobId, destination_id: id, destination_name: name, kind, ...(!enabled && off) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addFiles(trx, started.id, jobId);
  if (enabled) {
    await context.queue.deliveries.enqueue(trx, [{ deliveryId: started.id, jobId, destinationId: id }]);
  }
  return started.id;
}

/**
 * Adds completed outputs that the delivery lacks. Posts cannot be compared with files: an output posted to the
 * destination before counts as delivered.
 */
export async function addFiles(trx: Transaction<Tables>, deliveryId: string, jobId: string): Promise<void> {
  await sql`insert into delivery_files (delivery_id, output_id, name, size_bytes, sha256, state, updated_at)
    select ${deliveryId}, id, name, size_bytes, sha256,
      case when posted_at is null then 'Waiting' else 'Delivered' end, coalesce(posted_at, now())
    from job_outputs
    left join lateral (
      select max(earlier_file.updated_at) as posted_at from delivery_files earlier_file
      join deliveries earlier on earlier.id = earlier_file.delivery_id
      join deliveries own on own.id = ${deliveryId}
      where earlier_file.output_id = job_outputs.id and earlier_file.sha256 = job_outputs.sha256
        and earlier_file.state = 'Delivered' and earlier.kind = 'postiz'
        and earlier.destination_id = own.destination_id
    ) as posts on true
    where job_id = ${jobId} and status = 'Completed' and storage_key is not null and verdict is distinct from 'rejected'
    on conflict (delivery_id, output_id) do nothing`.execute(trx);
  await countFiles(trx, deliveryId);
}

export async function countFiles(trx: Transaction<Tables>, deliveryId: string): Promise<void> {
  await sql`update deliveries set updated_at = now(), (files, delivered, failed) = (
      select count(*), count(*) filter (where state = 'Delivered'), count(*) filter (where state = 'Failed')
      from delivery_files where delivery_id = ${deliveryId} and output_id is not null
    ) where id = ${deliveryId}`.execute(trx);
}

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

export async function isDelivering(trx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const open = await trx
    .selectFrom("deliveries")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_DELIVERY)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}
