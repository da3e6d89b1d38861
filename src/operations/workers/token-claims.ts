/** Videos of workers without the database: only the token that claimed a video can work on it. */
import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { VideoClaim } from "#queue/claims/lend-claims.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { attemptOf, type ClaimedTask } from "#queue/run-claim.ts";
import type { Context } from "../context.ts";
import { findTasksOfStoppedJobs } from "../jobs/cancel-job.ts";

type ClaimContext = Pick<Context, "db" | "queue">;

export type TokenWorker = { tokenId: string; labels: readonly string[] };

/** A claimed video, with the number of its attempt. */
export type TokenTask = VideoTask & { attempt: number; tokenId: string };

const LOST = "Another worker has taken over this video.";

/** Null if no video waits that requires some of the token's labels, and no others. */
export function claimForToken(
  { db, queue }: ClaimContext,
  { tokenId, labels }: TokenWorker,
  links: readonly string[],
): Promise<ClaimedTask<VideoTask> | null> {
  return db.transaction().execute(async (trx) => {
    const task = await queue.lent.claim(trx, { labels, links });
    if (!task) return null;
    const row = { token_id: tokenId, retry_count: task.retryCount };
    // A revocation waits for this commit, because it locks the token.
    await trx
      .insertInto("worker_claims")
      .values({ video_id: task.id, ...row })
      .onConflict((claim) => claim.column("video_id").doUpdateSet(row))
      .execute();
    return task;
  });
}

/** Throws ClipmillError "cancelled" unless the token's claim still has the video. */
export async function readTokenTask(
  { db, queue }: ClaimContext,
  tokenId: string,
  claim: VideoClaim,
): Promise<TokenTask> {
  const [own] = await listOwn({ db }, tokenId, [claim]);
  const task = own ? await queue.lent.read(db, claim) : null;
  if (!task) throw new ClipmillError("cancelled", LOST);
  return { ...task, attempt: attemptOf(task, claim.retryCount), tokenId };
}

/** Returns the claims that still have their video, and the jobs among them that are stopping. */
export async function renewTokenClaims(
  { db, queue }: ClaimContext,
  tokenId: string,
  claims: readonly VideoClaim[],
): Promise<{ claims: VideoClaim[]; stoppedJobs: string[] }> {
  const kept = await queue.lent.renew(await listOwn({ db }, tokenId, claims));
  if (kept.length === 0) return { claims: [], stoppedJobs: [] };
  const videos = await db
    .selectFrom("job_videos")
    .select("job_id as jobId")
    .where(
      "id",
      "in",
      kept.map(({ videoId }) => videoId),
    )
    .execute();
  const stopped = await findTasksOfStoppedJobs({ db }, videos);
  return { claims: kept, stoppedJobs: [...new Set([...stopped].map(({ jobId }) => jobId))] };
}

export type ClaimEnd =
  | { how: "complete" }
  | { how: "undo" }
  | { how: "fail"; attempt: number; retryAfterSeconds: number | null };

/** No effect on a claim that another worker has taken over. */
export async function endTokenClaim({ db, queue }: ClaimContext, tokenId: string, claim: VideoClaim, end: ClaimEnd) {
  const [own] = await listOwn({ db }, tokenId, [claim]);
  if (!own) return;
  const { lent } = queue;
  if (end.how === "complete") await lent.complete(claim);
  else if (end.how === "undo") await lent.undo(claim);
  else {
    const { attempt, retryAfterSeconds } = end;
    // Only its delay counts.
    const error = new ClipmillError("unavailable", "The attempt failed.", { retryAfterSeconds });
    await lent.fail(claim, { error, attempt });
  }
  await db
    .deleteFrom("worker_claims")
    .where("video_id", "=", claim.videoId)
    .where("retry_count", "=", claim.retryCount)
    .execute();
}

/** Puts all videos of a token's workers back. Call it before the token is deleted, with its row locked. */
export async function takeBackClaims(
  { queue }: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  tokenId: string,
): Promise<void> {
  const claims = await trx
    .selectFrom("worker_claims")
    .select(["video_id as videoId", "retry_count as retryCount"])
    .where("token_id", "=", tokenId)
    .execute();
  if (claims.length > 0) await queue.lent.takeBack(trx, claims);
}

/** Returns those of `videoIds` that the token has claimed. */
export async function readOwnVideos(
  { db }: Pick<Context, "db">,
  tokenId: string,
  videoIds: readonly string[],
): Promise<string[]> {
  if (videoIds.length === 0) return [];
  const rows = await db
    .selectFrom("worker_claims")
    .select("video_id")
    .where("token_id", "=", tokenId)
    .where("video_id", "in", videoIds)
    .execute();
  return rows.map((row) => row.video_id);
}

async function listOwn(
  { db }: Pick<Context, "db">,
  tokenId: string,
  claims: readonly VideoClaim[],
): Promise<VideoClaim[]> {
  if (claims.length === 0) return [];
  const rows = await db
    .selectFrom("worker_claims")
    .select(["video_id as videoId", "retry_count as retryCount"])
    .where("token_id", "=", tokenId)
    .where(
      "video_id",
      "in",
      claims.map(({ videoId }) => videoId),
    )
    .execute();
  return rows.filter((row) =>
    claims.some(({ videoId, retryCount }) => videoId === row.videoId && retryCount === row.retryCount),
  );
}
