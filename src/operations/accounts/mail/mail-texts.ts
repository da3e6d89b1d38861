import type { Mail } from "#integrations/mail.ts";
import type { MailPurpose } from "./mail-token.ts";

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

export function composeMail(
  purpose: MailPurpose,
  { to, link, code }: { to: string; link: string | null; code: string },
): Mail {
  const { subject, opening } = OPENINGS[purpose];
  const ways = link ? `${link}\n\nOr enter this code: ${code}` : `Enter this code: ${code}`;
  return { to, subject, text: `${opening}\n\n${ways}\n\n${VALID} ${NOT_YOU}\n` };
}

export function composeChangeNotice(to: string, newEmail: string): Mail {
  return {
    to,
    subject: "Your email address for Clipmill is about to change",
    text: `Your account will use ${newEmail} once that address is confirmed.\n\nIf this was not you, change your password now.\n`,
  };
}
