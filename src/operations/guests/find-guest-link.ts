import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { Context } from "../context.ts";

export type FoundLink = { id: string; jobId: string; token: string; canApprove: boolean; expiresAt: string };

/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
const GONE = "This link has expired or was revoked. Ask for a new one.";

/**
 * Runs on every guest request, so that a revocation takes effect immediately. Throws the same ClipmillError "not_found"
 * for unknown, expired and revoked links.
 */
export async function findGuestLink({ db }: Pick<Context, "db">, token: string): Promise<FoundLink> {
  const link = TOKEN.test(token)
    ? await db
        .selectFrom("guest_links")
        .select(["id", "job_id", "can_approve", "expires_at"])
        .select(sql<boolean>`coalesce(last_seen_at < now() - interval '1 minute', true)`.as("is_seen_stale"))
        .where("digest", "=", sha256Of(token))
        .where("revoked_at", "is", null)
        .where("expires_at", ">", sql<string>`now()`)
        .executeTakeFirst()
    : undefined;
  if (!link) throw new ClipmillError("not_found", GONE);
  if (link.is_seen_stale) {
    await db
      .updateTable("guest_links")
      .set({ last_seen_at: sql<string>`now()` })
      .where("id", "=", link.id)
      .execute();
  }
  return { id: link.id, jobId: link.job_id, token, canApprove: link.can_approve, expiresAt: link.expires_at };
}
