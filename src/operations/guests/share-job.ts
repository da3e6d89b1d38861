import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import {
  type createLinkSchema,
  GUEST_LIMITS,
  GUEST_PATH,
  type revokeLinkSchema,
  type ShareResponse,
} from "#contract/guests/guests.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { lockJob } from "../jobs/lock-job.ts";

const TOKEN_BYTES = 32;
const NOT_FOUND = "The job does not exist.";
const NO_SAMPLES = "This job has no samples to share.";

type Sharing = Pick<Context, "db"> & ActorContext;

/**
 * Returns the path only here: only a hash of its token is stored. Throws ClipmillError "not_found" or "conflict".
 */
export function shareJob(
  { db, actor }: Sharing,
  accountId: string | null,
  { jobId, days, can_approve: canApprove }: z.output<typeof createLinkSchema>,
): Promise<ShareResponse> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", NOT_FOUND);
    if (job.proof_state === null) throw new ClipmillError("conflict", NO_SAMPLES);
    const { count } = await trx
      .selectFrom("guest_links")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("job_id", "=", jobId)
      .executeTakeFirstOrThrow();
    if (count >= GUEST_LIMITS.linksPerJob) {
      throw new ClipmillError("conflict", `A job can have at most ${GUEST_LIMITS.linksPerJob} guest links.`);
    }
    const data = await trx
      .insertInto("guest_links")
      .values({
        job_id: jobId,
        digest: sha256Of(token),
        can_approve: canApprove,
        expires_at: sql<string>`now() + ${days}::int * interval '1 day'`,
        created_by: accountId,
      })
      .returning(LINK_COLUMNS)
      .executeTakeFirstOrThrow();
    await writeAudit(trx, actor, { action: "job.share", subjects: [jobId] });
    return { data, path: GUEST_PATH + token };
  });
}

/** Takes effect immediately, because each request reads the link. Idempotent. Throws ClipmillError "not_found". */
export function unshareJob(
  { db, actor }: Sharing,
  { jobId, revoke: id }: z.output<typeof revokeLinkSchema>,
): Promise<ShareResponse> {
  return db.transaction().execute(async (trx) => {
    const link = await trx
      .selectFrom("guest_links")
      .select("revoked_at")
      .where("id", "=", id)
      .where("job_id", "=", jobId)
      .forUpdate()
      .executeTakeFirst();
    if (!link) throw new ClipmillError("not_found", "This guest link does not exist.");
    const data = await trx
      .updateTable("guest_links")
      .set({ revoked_at: sql<string>`coalesce(revoked_at, now())` })
      .where("id", "=", id)
      .returning(LINK_COLUMNS)
      .executeTakeFirstOrThrow();
    if (link.revoked_at === null) await writeAudit(trx, actor, { action: "job.unshare", subjects: [jobId] });
    return { data, path: null };
  });
}

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

/** Excludes the token's hash. */
export const LINK_COLUMNS = ["id", "can_approve", "expires_at", "revoked_at", "last_seen_at", "created_at"] as const;

export const COMMENT_COLUMNS = [
  "id",
  "author",
  "message",
  "is_approval",
  "output_id",
  "at_seconds",
  "created_at",
] as const;
