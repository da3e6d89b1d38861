import type { Transaction } from "kysely";
import { sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Actor } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";

const ACTION = "job.review";
const SAME_REVIEW_MINUTES = 10;

/** One entry per person, job and 10 minutes: a review is hundreds of verdicts. */
export async function auditReviews(trx: Transaction<Tables>, actor: Actor, jobIds: readonly string[]): Promise<void> {
  const noted = await trx
    .selectFrom("audit_entries")
    .select("subject")
    .where("action", "=", ACTION)
    .where("email", "=", actor.email)
    .where("subject", "in", [...jobIds])
    .where("created_at", ">", sql<string>`now() - make_interval(mins => ${SAME_REVIEW_MINUTES})`)
    .execute();
  const subjects = jobIds.filter((id) => noted.every(({ subject }) => subject !== id));
  if (subjects.length > 0) await writeAudit(trx, actor, { action: ACTION, subjects });
}
