/** Query cache keys. */
export const accountKey = ["account"] as const;
export const sessionsKey = ["sessions"] as const;
