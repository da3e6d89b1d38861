import { sql } from "kysely";
import type { AccountsContext } from "../accounts-context.ts";
import { findFactor } from "./factor.ts";

const VALID_MINUTES = 5;

/** Throws AuthError "mfa_factor_not_found". */
export async function challengeFactor(
  { db }: Pick<AccountsContext, "db">,
  accountId: string,
  factorId: string,
): Promise<{ id: string; expiresAt: string }> {
  const factor = await findFactor(db, accountId, factorId);
  await db
    .deleteFrom("factor_challenges")
    .where("factor_id", "=", factor.id)
    .where("expires_at", "<", sql<string>`now()`)
    .execute();
  const challenge = await db
    .insertInto("factor_challenges")
    .values({ factor_id: factor.id, expires_at: sql<string>`now() + make_interval(mins => ${VALID_MINUTES})` })
    .returning(["id", "expires_at"])
    .executeTakeFirstOrThrow();
  return { id: challenge.id, expiresAt: challenge.expires_at };
}
