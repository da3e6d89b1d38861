import { type Selectable, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import {
  type FeedbackResponse,
  GUEST_LIMITS,
  GUEST_PATH,
  guestApprovalSchema,
  guestCommentSchema,
  type GuestView,
} from "#contract/guests/guests.ts";
import type { GuestCommentsTable, Tables } from "#database/tables.ts";
import { GUEST } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { approveProof, selectSamples } from "../jobs/proof/approve-proof.ts";
import { parseInput } from "../parse-input.ts";
import { COMMENT_COLUMNS, type FoundLink, LINK_COLUMNS } from "./share-job.ts";

/** Throws ClipmillError "not_found" if the job was deleted. */
export async function readGuestView({ db }: Pick<Context, "db">, link: FoundLink): Promise<GuestView> {
  const job = await db
    .selectFrom("jobs")
    .select(["job_name", "status", "proof_state"])
    .where("id", "=", link.jobId)
    .executeTakeFirst();
  if (!job || job.proof_state === null) throw new ClipmillError("not_found", "These samples no longer exist.");
  const samples = await selectSamples(db, link.jobId).execute();
  const comments = await db
    .selectFrom("guest_comments")
    .select(COMMENT_COLUMNS)
    .where("link_id", "=", link.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const isCancelled = job.status === "Cancelling" || job.status === "Cancelled";
  const state = isCancelled ? "cancelled" : job.proof_state;
  return {
    job_name: job.job_name,
    state,
    can_approve: link.canApprove && state === "waiting" && samples.length > 0,
    expires_at: link.expiresAt,
    samples: samples.map((sample) => ({
      id: sample.id,
      name: sample.name,
      width: sample.width ?? 0,
      height: sample.height ?? 0,
      duration_seconds: sample.duration_seconds ?? 0,
      media_url: `${GUEST_PATH}${link.token}/samples/${sample.id}`,
      thumbnail_url: `${GUEST_PATH}${link.token}/thumbnails/${sample.id}`,
    })),
    comments,
  };
}

/** Throws ClipmillError "invalid", "not_found" or "too_many". */
export async function addGuestComment(context: Pick<Context, "db">, link: FoundLink, body: unknown): Promise<void> {
  const { output_id: outputId = null, at_seconds: seconds = null, ...comment } = parseInput(guestCommentSchema, body);
  if (outputId !== null) await requireSample(context, link, outputId);
  await context.db
    .transaction()
    .execute((trx) =>
      insertComment(trx, link, { ...comment, is_approval: false, output_id: outputId, at_seconds: seconds }),
    );
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
    note: (trx) => insertComment(trx, link, { author, message, is_approval: true, output_id: null, at_seconds: null }),
  });
}

async function insertComment(
  trx: Transaction<Tables>,
  link: FoundLink,
  comment: Pick<Selectable<GuestCommentsTable>, "author" | "message" | "is_approval" | "output_id" | "at_seconds">,
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

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Throws ClipmillError "not_found" unless the output is a finished sample of the link's job. */
export async function requireSample({ db }: Pick<Context, "db">, link: FoundLink, outputId: string): Promise<void> {
  const sample = ID.test(outputId)
    ? await selectSamples(db, link.jobId).where("job_outputs.id", "=", outputId).executeTakeFirst()
    : undefined;
  if (!sample) throw new ClipmillError("not_found", "This sample does not exist.");
}

/** Throws ClipmillError "not_found". */
export async function readFeedback({ db }: Pick<Context, "db">, jobId: string): Promise<FeedbackResponse["data"]> {
  const job = await db.selectFrom("jobs").select("id").where("id", "=", jobId).executeTakeFirst();
  if (!job) throw new ClipmillError("not_found", "The job does not exist.");
  const links = await db
    .selectFrom("guest_links")
    .select(LINK_COLUMNS)
    .where("job_id", "=", jobId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const comments = await db
    .selectFrom("guest_comments")
    .select(COMMENT_COLUMNS)
    .where("job_id", "=", jobId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return { links, comments };
}
