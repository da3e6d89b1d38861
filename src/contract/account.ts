/** In characters. */
export const PASSWORD_LIMITS = { shortest: 8, longest: 256 } as const;

export type AccountSession = {
  id: string;
  userAgent: string | null;
  createdAt: string;
  /** When its tokens were last renewed, about once an hour. */
  lastUsedAt: string;
  isThisOne: boolean;
};

export type SessionsResponse = { data: AccountSession[] };
