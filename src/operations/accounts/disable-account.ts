import { sql } from "kysely";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { lockAccount } from "./account.ts";
import { voidMails } from "./mail/void-mails.ts";
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
