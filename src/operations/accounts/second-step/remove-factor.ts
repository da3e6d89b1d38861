import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { AccountsContext } from "../accounts-context.ts";
import { AuthError } from "../auth-error.ts";
import { findFactor } from "./factor.ts";

/** Maximum age of the second step that allows removal. */
const FRESH_MINUTES = 15;

/**
 * Removing a verified factor requires a recently passed second step: afterwards, a password may be enough. Throws
 * AuthError "mfa_factor_not_found" or "reauthentication_needed".
 */
export function removeFactor(
  { db, actor }: Pick<AccountsContext, "db"> & ActorContext,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  factorId: string,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const factor = await findFactor(trx, accountId, factorId);
    if (factor.verified_at) await requireFreshStep(trx, sessionId);
    await trx.deleteFrom("factors").where("id", "=", factor.id).execute();
    await forgetPassedSteps(trx, accountId);
    await writeAudit(trx, actor, { action: "second-step.remove", subjects: [factor.id] });
  });
}

async function requireFreshStep(trx: Kysely<Tables>, sessionId: string): Promise<void> {
  const fresh = await trx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("second_step_at", ">", sql<string>`now() - make_interval(mins => ${FRESH_MINUTES})`)
    .executeTakeFirst();
  if (!fresh)
    throw new AuthError(
      "reauthentication_needed",
      "Enter a code from your authenticator app to remove the second step.",
    );
}

/** Passed steps must not count for a factor added later. */
async function forgetPassedSteps(trx: Kysely<Tables>, accountId: string): Promise<void> {
  const verified = trx
    .selectFrom("factors")
    .select("id")
    .where("account_id", "=", accountId)
    .where("verified_at", "is not", null);
  if (await verified.executeTakeFirst()) return;
  await trx.updateTable("sessions").set({ second_step_at: null }).where("account_id", "=", accountId).execute();
}
