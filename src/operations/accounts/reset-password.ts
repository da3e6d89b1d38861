import { sql } from "kysely";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { countValidTokens } from "../tokens/count-valid-tokens.ts";
import { lockAccount } from "./account.ts";
import { voidMails } from "./mail/void-mails.ts";
import { hashNewPassword } from "./password.ts";
import { revokeAllSessions } from "./sessions/revoke-sessions.ts";

/**
 * Also ends all sessions. `removesSecondStep` is for a lost phone. Returns the number of API tokens, which stay valid.
 * Throws ClipmillError "not_found", AuthError for the password.
 */
export async function resetPassword(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  reset: { email: string; password: string; removesSecondStep: boolean },
): Promise<{ apiTokens: number }> {
  const passwordHash = await hashNewPassword(reset.password);
  return await db.transaction().execute(async (trx) => {
    const { id, email } = await lockAccount(trx, reset.email);
    await trx
      .updateTable("accounts")
      .set({ password_hash: passwordHash, updated_at: sql<string>`now()` })
      .where("id", "=", id)
      .execute();
    if (reset.removesSecondStep) await trx.deleteFrom("factors").where("account_id", "=", id).execute();
    await voidMails(trx, id);
    await revokeAllSessions(trx, id);
    await writeAudit(trx, actor, { action: "account.reset-password", subjects: [email] });
    return { apiTokens: await countValidTokens(trx, id) };
  });
}
