import { randomUUID } from "node:crypto";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { lockAccount, requireEnabled } from "../account.ts";
import { createCodeHasher, issueMailToken } from "./mail-token.ts";
import { toLink } from "./send-link.ts";

/**
 * Returns a link that signs an account in, once and within an hour: the way back in while its provider is down, or nobody
 * can sign in. Throws ClipmillError "not_found", AuthError "user_banned".
 */
export function createSignInLink(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  { email, publicUrl }: { email: string; publicUrl: string },
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, email);
    requireEnabled(account);
    const recipient = {
      accountId: account.id,
      purpose: "magiclink",
      email: account.email,
      passwordHash: null,
    } as const;
    // An email's code, which nobody gets here.
    const { token } = await issueMailToken(trx, createCodeHasher(randomUUID()), recipient);
    await writeAudit(trx, actor, { action: "account.sign-in-link", subjects: [account.email] });
    return toLink(publicUrl, { purpose: "magiclink", redirectTo: null }, token);
  });
}
