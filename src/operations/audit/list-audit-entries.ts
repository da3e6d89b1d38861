import { sql } from "kysely";
import { z } from "zod";
import type { AuditEntry } from "#contract/calls.ts";
import type { Context } from "../context.ts";
import { nameOfSubject } from "./subject-names.ts";

const ENTRY = { action: sql.ref<string>("audit_entries.action"), subject: sql.ref<string>("audit_entries.subject") };
const NAME = sql<string | null>`coalesce(subject_name, ${nameOfSubject(ENTRY.action, ENTRY.subject)})`;

export const listAuditSchema = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z.coerce.number().int().min(1).optional().describe("Only entries before this ID."),
});

/** Newest first, with subjects' recorded names or, failing that, current ones. */
export function listAuditEntries(
  context: Pick<Context, "db">,
  { limit, before }: z.output<typeof listAuditSchema>,
): Promise<AuditEntry[]> {
  return context.db
    .selectFrom("audit_entries")
    .select(["id", "account_id", "email", "action", "subject", NAME.as("subject_name"), "created_at"])
    .$if(before !== undefined, (query) => query.where("id", "<", before!))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
