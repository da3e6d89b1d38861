import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { guestApprovalSchema, guestCommentSchema } from "#contract/guests/guest-requests.ts";
import { GUEST_LIMITS } from "#contract/guests/guests.ts";
import type { Tables } from "#database/tables.ts";
import { GUEST } from "../audit/actor.ts";
import type { Context } from "../context.ts";
import { approveProof } from "../jobs/proof/approve-proof.ts";
import { parseInput } from "../parse-input.ts";
import type { FoundLink } from "./find-guest-link.ts";

/** Throws ClipmillError "invalid", "not_found" or "too_many". */
export async function addGuestComment({ db }: Pick<Context, "db">, link: FoundLink, body: unknown): Promise<void> {
  const { author, message } = parseInput(guestCommentSchema, body);
  await db.transaction().execute((trx) => insertComment(trx, link, { author, message, is_approval: false }));
}

/** Throws like addGuestComment, and ClipmillError "forbidden" or "conflict". */
export async function approveAsGuest(
  context: Pick<Context, "db" | "queue" | "links">,
  link: FoundLink,
  body: unknown,
): Promise<void> {
  const { author, message, samples } = parseInput(guestApprovalSchema, body);
  if (!link.canApprove) throw new ClipmillError("forbidden", "This link does not allow you to approve the samples.");
  await approveProof({ ...context, actor: GUEST }, link.jobId, {
    samples,
    note: (trx) => insertComment(trx, link, { author, message, is_approval: true }),
  });
}

async function insertComment(
  trx: Transaction<Tables>,
  link: FoundLink,
  comment: { author: string; message: string | null; is_approval: boolean },
): Promise<void> {
  // Requests at the same time must not exceed the limit, nor follow a revocation.
  const live = await trx
    .selectFrom("guest_links")
    .select("id")
    .where("id", "=", link.id)
    .where("revoked_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!live) throw new ClipmillError("not_found", "This link was revoked.");
  const { count } = await trx
    .selectFrom("guest_comments")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("link_id", "=", link.id)
    .executeTakeFirstOrThrow();
  if (count >= GUEST_LIMITS.commentsPerLink) {
    throw new ClipmillError("too_many", `At most ${GUEST_LIMITS.commentsPerLink} comments can be sent with a link.`);
  }
  await trx
    .insertInto("guest_comments")
    .values({ job_id: link.jobId, link_id: link.id, ...comment })
    .execute();
  // A live update of the job shows the comment.
  await trx
    .updateTable("jobs")
    .set({ updated_at: sql<string>`now()` })
    .where("id", "=", link.jobId)
    .where("status", "=", "Processing")
    .execute();
}
