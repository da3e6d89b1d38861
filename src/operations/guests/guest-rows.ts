/** Excludes the token's hash. */
export const LINK_COLUMNS = ["id", "can_approve", "expires_at", "revoked_at", "last_seen_at", "created_at"] as const;

export const COMMENT_COLUMNS = ["id", "author", "message", "is_approval", "created_at"] as const;
