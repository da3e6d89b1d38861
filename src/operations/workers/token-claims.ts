/** Videos of workers without the database: only the token that claimed a video can work on it. */
import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { VideoClaim } from "#queue/claims/lend-claims.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { attemptOf, type ClaimedTask } from "#queue/run-claim.ts";
import type { Context } from "../context.ts";
import { cancelWithoutWorkers, findTasksOfStoppedJobs } from "../jobs/cancel-job.ts";
import { requireRoomForClaim } from "./token-limits.ts";

type ClaimContext = Pick<Context, "db" | "queue">;

export type TokenWorker = { tokenId: string; labels: readonly string[] };

/** A claimed video, with the number of its attempt. */
export type TokenTask = VideoTask & { attempt: number; tokenId: string };

const LOST = "Another worker has taken over this video.";

/** Null if no video waits that requires some of the token's labels, and no others. Throws like requireRoomForClaim. */
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
    await requireRoomForClaim(trx, tokenId);
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

/** A worker stops within seconds: it renews every second, and kills ffmpeg. */
const MOST_STOPPING_SECONDS = 30;

/**
 * Returns the claims that still have their video, and the jobs among them that are stopping. Takes videos back whose
 * worker has not stopped for long.
 */
export async function renewTokenClaims(
  context: ClaimContext,
  tokenId: string,
  claims: readonly VideoClaim[],
): Promise<{ claims: VideoClaim[]; stoppedJobs: string[] }> {
  const { db, queue } = context;
  const kept = await queue.lent.renew(await listOwn({ db }, tokenId, claims));
  if (kept.length === 0) return { claims: [], stoppedJobs: [] };
  const videos = await db
    .selectFrom("job_videos")
    .select(["id", "job_id as jobId"])
    .where(
      "id",
      "in",
      kept.map(({ videoId }) => videoId),
    )
    .execute();
  const stopped = await findTasksOfStoppedJobs({ db }, videos);
  const stoppedJobs = [...new Set([...stopped].map(({ jobId }) => jobId))];
  const jobOf = new Map(videos.map(({ id, jobId }) => [id, jobId]));
  const lost = new Set<VideoClaim>();
  for (const jobId of await listStoppedLongAgo(db, stoppedJobs)) {
    const late = kept.filter(({ videoId }) => jobOf.get(videoId) === jobId);
    await cancelWithoutWorkers(context, jobId, (trx) => queue.lent.takeBack(trx, late));
    for (const claim of late) lost.add(claim);
  }
  return { claims: kept.filter((claim) => !lost.has(claim)), stoppedJobs };
}

/** Returns the jobs, of `jobIds` that do not run, that have not changed for long. */
async function listStoppedLongAgo(db: Kysely<Tables>, jobIds: readonly string[]): Promise<string[]> {
  if (jobIds.length === 0) return [];
  const rows = await db
    .selectFrom("jobs")
    .select("id")
    .where("id", "in", jobIds)
    .where("updated_at", "<", sql<string>`now() - ${MOST_STOPPING_SECONDS} * interval '1 second'`)
    .execute();
  return rows.map(({ id }) => id);
}

export type ClaimEnd =
  | { how: "complete" }
  | { how: "undo" }
  | { how: "fail"; attempt: number; retryAfterSeconds: number | null };

/**
 * No effect on a claim that another worker has taken over. Completing fails the attempt while its video is open: without
 * a task, the job could not end.
 */
export async function endTokenClaim(context: ClaimContext, tokenId: string, claim: VideoClaim, end: ClaimEnd) {
  const { db, queue } = context;
  const [own] = await listOwn({ db }, tokenId, [claim]);
  if (!own) return;
  const { lent } = queue;
  if (end.how === "undo") await lent.undo(claim);
  else if (end.how === "fail") await lent.fail(claim, failureOf(end));
  else {
    const task = await lent.read(db, claim);
    const isEarly = task !== null && (await isOpen(db, claim.videoId, attemptOf(task, claim.retryCount)));
    if (isEarly) await lent.fail(claim, failureOf({ attempt: 1, retryAfterSeconds: null }));
    else await lent.complete(claim);
  }
  await db
    .deleteFrom("worker_claims")
    .where("video_id", "=", claim.videoId)
    .where("retry_count", "=", claim.retryCount)
    .execute();
}

/** Only its delay counts. */
function failureOf({ attempt, retryAfterSeconds }: { attempt: number; retryAfterSeconds: number | null }) {
  return { attempt, error: new ClipmillError("unavailable", "The attempt failed.", { retryAfterSeconds }) };
}

/** The attempt has neither ended the video nor its samples, which wait for approval without a task. */
async function isOpen(db: Kysely<Tables>, videoId: string, attempt: number): Promise<boolean> {
  const video = await db
    .selectFrom("job_videos")
    .select("id")
    .where("id", "=", videoId)
    .where("attempts", "<=", attempt)
    .where((eb) =>
      eb.or([
        eb("status", "=", "Processing"),
        eb.and([eb("status", "=", "Queued"), eb("samples_ended_at", "is", null)]),
      ]),
    )
    .executeTakeFirst();
  return video !== undefined;
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
