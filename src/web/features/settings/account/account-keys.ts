/** Where the account, and the places where it is signed in, are kept in the cache. */
export const accountKey = ["account"] as const;
export const sessionsKey = ["sessions"] as const;
