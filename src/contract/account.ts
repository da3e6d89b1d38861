/** What the server and the Account card agree on. */

/** How long a password may be, in characters. */
export const PASSWORD_LIMITS = { shortest: 8, longest: 256 } as const;

/** A place where the account is signed in. */
export type AccountSession = {
  id: string;
  userAgent: string | null;
  createdAt: string;
  /** When its tokens were last renewed, which happens about once an hour. */
  lastUsedAt: string;
  isThisOne: boolean;
};

/** Function sessions, {method:"GET"}. */
export type SessionsResponse = { data: AccountSession[] };
