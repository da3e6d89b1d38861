/** Query cache keys for the account and its sessions. */
export const accountKey = ["account"] as const;
export const sessionsKey = ["sessions"] as const;
