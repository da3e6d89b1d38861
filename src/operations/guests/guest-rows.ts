/** Columns of guest links and comments on the wire: all but the hash and the references. */
export const LINK_COLUMNS = ["id", "can_approve", "expires_at", "revoked_at", "last_seen_at", "created_at"] as const;

export const COMMENT_COLUMNS = ["id", "author", "message", "is_approval", "created_at"] as const;
