import type { Mail } from "#integrations/mail.ts";
import { type AccountsContext, hasIdentity, requirePasswords } from "../account.ts";
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

/** Links of these sign in without a password. */
const SIGNS_IN: ReadonlySet<MailPurpose> = new Set(["signup", "recovery", "magiclink"]);

/**
 * Works in the background: neither the response nor its timing reveals whether the account exists. Throws AuthError
 * "over_email_send_rate_limit" or "email_provider_disabled".
 */
export async function sendLink(context: AccountsContext, request: LinkRequest): Promise<void> {
  if (SIGNS_IN.has(request.purpose)) requirePasswords(context);
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
    .$if(SIGNS_IN.has(purpose), (query) => query.where((eb) => eb.not(hasIdentity())))
    .executeTakeFirst();
  if (!account || (purpose === "signup" && account.email_confirmed_at)) return null;
  const to = purpose === "email_change" ? account.new_email : account.email;
  return to ? { accountId: account.id, to, passwordHash: account.password_hash } : null;
}

export function toLink(
  publicUrl: string,
  { purpose, redirectTo }: Pick<LinkRequest, "purpose" | "redirectTo">,
  token: string,
): string {
  const query = new URLSearchParams({ token, type: purpose });
  if (redirectTo) query.set("redirect_to", redirectTo);
  return `${publicUrl}/auth/v1/verify?${query}`;
}

const VALID = "It expires in one hour and can be used only once.";
const NOT_YOU = "If this wasn't you, you can ignore this message. Nothing has changed.";

const OPENINGS: Record<MailPurpose, { subject: string; opening: string }> = {
  signup: { subject: "Confirm your email for Clipmill", opening: "Open this link to confirm your email address:" },
  recovery: { subject: "Set a new password for Clipmill", opening: "Open this link to set a new password:" },
  magiclink: { subject: "Your sign-in link for Clipmill", opening: "Open this link to sign in:" },
  email_change: {
    subject: "Confirm your new email for Clipmill",
    opening: "Open this link to confirm your new email address:",
  },
  reauthentication: {
    subject: "Your code for Clipmill",
    opening: "Someone requested a password change for your account.",
  },
};

function composeMail(
  purpose: MailPurpose,
  { to, link, code }: { to: string; link: string | null; code: string },
): Mail {
  const { subject, opening } = OPENINGS[purpose];
  const ways = link ? `${link}\n\nOr enter this code: ${code}` : `Enter this code: ${code}`;
  return { to, subject, text: `${opening}\n\n${ways}\n\n${VALID} ${NOT_YOU}\n` };
}

function composeChangeNotice(to: string, newEmail: string): Mail {
  return {
    to,
    subject: "Your email address for Clipmill is about to change",
    text: `Your account will use ${newEmail} once that address is confirmed.\n\nIf this was not you, change your password now.\n`,
  };
}
