import { z } from "zod";
import type { AuditEntry } from "#contract/calls.ts";
import type { Context } from "../context.ts";

export const listAuditSchema = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  /** Only entries before this one: the next page. */
  before: z.coerce.number().int().min(1).optional(),
});

/** Who did what, newest first. */
export function listAuditEntries(
  context: Pick<Context, "db">,
  { limit, before }: z.output<typeof listAuditSchema>,
): Promise<AuditEntry[]> {
  return context.db
    .selectFrom("audit_entries")
    .select(["id", "account_id", "email", "action", "subject", "created_at"])
    .$if(before !== undefined, (query) => query.where("id", "<", before!))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
