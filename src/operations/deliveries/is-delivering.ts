import type { Transaction } from "kysely";
import { OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import type { Tables } from "#database/tables.ts";

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
