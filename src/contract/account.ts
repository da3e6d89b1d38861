/** Types and limits shared by the server and the Account card. */

/** In characters. */
export const PASSWORD_LIMITS = { shortest: 8, longest: 256 } as const;

/** An active session of the account. */
export type AccountSession = {
  id: string;
  userAgent: string | null;
  createdAt: string;
  /** When its tokens were last renewed; about once an hour. */
  lastUsedAt: string;
  isThisOne: boolean;
};

/** Function sessions, {method:"GET"}. */
export type SessionsResponse = { data: AccountSession[] };
