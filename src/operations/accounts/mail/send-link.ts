import type { AccountsContext } from "../accounts-context.ts";
import { composeChangeNotice, composeMail } from "./mail-texts.ts";
import { issueMailToken, type MailPurpose } from "./mail-token.ts";

type LinkRequest = {
  purpose: MailPurpose;
  /** The account's current address, even if the link goes to a new one. */
  email: string;
  /** The client's IP address. */
  address: string;
  /** Requested from the account's own session; throttled separately. */
  isOwn: boolean;
  /** Null leads to the app's first page. */
  redirectTo: string | null;
};

/**
 * Works in the background: neither the response nor its timing reveals whether the account exists. Throws AuthError
 * "over_email_send_rate_limit".
 */
export async function sendLink(context: AccountsContext, request: LinkRequest): Promise<void> {
  const throttle = request.isOwn ? context.throttles.ownMail : context.throttles.mail;
  await throttle.count({ account: request.email, address: request.address });
  sendLinkUnthrottled(context, request);
}

/**
 * Like sendLink, without counting the email. A sign-up link confirms `passwordHash`, by default the pending account's.
 */
export function sendLinkUnthrottled(
  context: AccountsContext,
  request: Omit<LinkRequest, "address" | "isOwn"> & { passwordHash?: string },
): void {
  context.runInBackground("send a mail", async () => {
    const { mailer, publicUrl } = context;
    const { purpose } = request;
    if (!mailer || !publicUrl) {
      const facts = { purpose, missing: "SMTP_URL" };
      context.log.warn(facts, "an email was requested but not sent: SMTP_URL is not set");
      return;
    }
    const recipient = await findRecipient(context, request);
    if (!recipient) return;
    const { accountId, to } = recipient;
    const passwordHash = purpose === "signup" ? (request.passwordHash ?? recipient.passwordHash) : null;
    const issued = { accountId, purpose, email: to, passwordHash };
    const { token, code } = await issueMailToken(context.db, context.hashCode, issued);
    const link = purpose === "reauthentication" ? null : toLink(publicUrl, request, token);
    await mailer.send(composeMail(purpose, { to, link, code }));
    if (purpose === "email_change") await mailer.send(composeChangeNotice(request.email, to));
  });
}

async function findRecipient(context: AccountsContext, { purpose, email }: Pick<LinkRequest, "purpose" | "email">) {
  const account = await context.db
    .selectFrom("accounts")
    .select(["id", "email", "new_email", "email_confirmed_at", "password_hash"])
    .where("email", "=", email)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (!account || (purpose === "signup" && account.email_confirmed_at)) return null;
  const to = purpose === "email_change" ? account.new_email : account.email;
  return to ? { accountId: account.id, to, passwordHash: account.password_hash } : null;
}

function toLink(
  publicUrl: string,
  { purpose, redirectTo }: Pick<LinkRequest, "purpose" | "redirectTo">,
  token: string,
): string {
  const query = new URLSearchParams({ token, type: purpose });
  if (redirectTo) query.set("redirect_to", redirectTo);
  return `${publicUrl}/auth/v1/verify?${query}`;
}
