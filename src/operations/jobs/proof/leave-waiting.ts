import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { LockedJob } from "../lock-job.ts";

/** Requires the job's lock. */
export async function leaveWaiting(
  trx: Transaction<Tables>,
  job: LockedJob,
  state: "making" | "approved" | "stopped",
): Promise<LockedJob> {
  await trx
    .updateTable("jobs")
    .set({
      proof_state: state,
      awaited_seconds: sql<number>`awaited_seconds + coalesce(extract(epoch from now() - awaiting_since), 0)`,
      awaiting_since: null,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", job.id)
    .execute();
  return { ...job, proof_state: state };
}
