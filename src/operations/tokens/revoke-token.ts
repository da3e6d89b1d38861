import type { z } from "zod";
import type { revokeTokenSchema } from "#contract/api-tokens.ts";
import { endLiveChannels } from "../accounts/sessions/revoke-sessions.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";

/** Also ends the token's live channels. A missing token counts as revoked. */
export async function revokeToken(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  accountId: string,
  { id }: z.output<typeof revokeTokenSchema>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const mine = trx.selectFrom("api_tokens").select("id").where("id", "=", id).where("account_id", "=", accountId);
    if (!(await mine.forUpdate().executeTakeFirst())) return;
    await writeAudit(trx, actor, { action: "token.revoke", subjects: [id] });
    await trx.deleteFrom("api_tokens").where("id", "=", id).execute();
    await endLiveChannels(trx, [id]);
  });
}
