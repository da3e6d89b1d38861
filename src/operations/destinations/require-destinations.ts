import type { Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { refusal } from "../jobs/create/snapshot-sets.ts";

/** Locks the destinations. Throws ClipmillError "invalid" if one does not exist. */
export async function requireDestinations(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await trx.selectFrom("destinations").select("id").where("id", "in", ids).forShare().execute();
  if (found.length === new Set(ids).size) return;
  throw refusal({
    title: "Destination Not Found",
    description: "A destination of this job no longer exists. Remove it from the job, or choose another one.",
  });
}
