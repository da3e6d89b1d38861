import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { countValidTokens } from "../tokens/create-token.ts";
import { lockAccount } from "./account.ts";
import { voidMails } from "./mail/mail-token.ts";
import { hashNewPassword } from "./password.ts";
import { endLiveChannels, revokeAllSessions } from "./sessions/revoke-sessions.ts";

/** Takes effect at the next request, also for API tokens; keeps the account's data. Throws ClipmillError "not_found". */
export function disableAccount({ db, actor }: Pick<Context, "db"> & ActorContext, address: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { id, email } = await lockAccount(trx, address);
    await trx
      .updateTable("accounts")
      .set({ disabled_at: sql<string>`now()` })
      .where("id", "=", id)
      .execute();
    await voidMails(trx, id);
    await revokeAllSessions(trx, id);
    const tokens = await trx.selectFrom("api_tokens").select("id").where("account_id", "=", id).execute();
    await endLiveChannels(
      trx,
      tokens.map((token) => token.id),
    );
    await writeAudit(trx, actor, { action: "account.disable", subjects: [email] });
  });
}

export function enableAccount({ db, actor }: Pick<Context, "db"> & ActorContext, address: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { id, email } = await lockAccount(trx, address);
    await trx.updateTable("accounts").set({ disabled_at: null }).where("id", "=", id).execute();
    await writeAudit(trx, actor, { action: "account.enable", subjects: [email] });
  });
}

/** After a restore: sessions, emailed links and new addresses that were ended since the backup must not return. */
export async function signOutEveryone(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: sql<string>`now()` })
    .where("revoked_at", "is", null)
    .execute();
  await db.deleteFrom("mail_tokens").execute();
  await db.updateTable("accounts").set({ new_email: null }).where("new_email", "is not", null).execute();
}

/**
 * Also ends all sessions, and the sign-in at an OpenID provider until the owner signs in there again. `removesSecondStep`
 * is for a lost phone. Returns the number of API tokens, which stay valid.
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
    await trx.deleteFrom("account_identities").where("account_id", "=", id).execute();
    if (reset.removesSecondStep) await trx.deleteFrom("factors").where("account_id", "=", id).execute();
    await voidMails(trx, id);
    await revokeAllSessions(trx, id);
    await writeAudit(trx, actor, { action: "account.reset-password", subjects: [email] });
    return { apiTokens: await countValidTokens(trx, id) };
  });
}
