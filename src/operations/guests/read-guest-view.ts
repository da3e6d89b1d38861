import { ClipmillError } from "#contract/errors.ts";
import { GUEST_PATH, type GuestView } from "#contract/guests/guests.ts";
import type { Context } from "../context.ts";
import { selectSamples } from "../jobs/proof/select-samples.ts";
import type { FoundLink } from "./find-guest-link.ts";
import { COMMENT_COLUMNS } from "./guest-rows.ts";

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
