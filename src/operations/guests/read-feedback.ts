import { ClipmillError } from "#contract/errors.ts";
import type { FeedbackResponse } from "#contract/guests/guests.ts";
import type { Context } from "../context.ts";
import { COMMENT_COLUMNS, LINK_COLUMNS } from "./guest-rows.ts";

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
