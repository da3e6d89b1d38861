import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { SAMPLES_CHANGED } from "#contract/guests/guests.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { NOT_WAITING } from "../../hosts/find-cooldown.ts";
import { NO_FAILURE } from "../failures/failure-columns.ts";
import { finalizeJob } from "../finalize-job.ts";
import type { LockedJob } from "../lock-job.ts";
import { enqueueVideos } from "../videos/requeue-failed.ts";
import { decideProof } from "./decide-proof.ts";
import { leaveWaiting } from "./leave-waiting.ts";

type Approval = {
  /** Ids of the samples that were shown; undefined approves the current ones, whichever they are. */
  samples?: readonly string[] | undefined;
  /** Records who approved, in the same transaction. */
  note?: (trx: Transaction<Tables>) => Promise<void>;
};

/**
 * Queues all other outputs as if they arrived now, and retries failed samples. Throws like decideProof, and ClipmillError
 * "conflict" if other samples were shown.
 */
export function approveProof(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
  { samples, note }: Approval = {},
): Promise<WholeJob> {
  return decideProof(context, jobId, "job.approve", async (trx, job) => {
    if (samples) await requireCurrent(trx, jobId, samples);
    if (!(await enqueueUnfinished(context, trx, job))) return false;
    await note?.(trx);
    const approved = await leaveWaiting(trx, job, "approved");
    // The samples may be the job's only outputs.
    await finalizeJob(context, trx, approved);
    return true;
  });
}

/** A change replaces all samples, even those whose files stay. Requires the job's lock. */
async function requireCurrent(trx: Transaction<Tables>, jobId: string, shown: readonly string[]): Promise<void> {
  const current = await selectSamples(trx, jobId).execute();
  const shownIds = new Set(shown);
  if (current.length === shownIds.size && current.every(({ id }) => shownIds.has(id))) return;
  throw new ClipmillError("conflict", SAMPLES_CHANGED);
}

async function enqueueUnfinished(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
): Promise<boolean> {
  const videos = await trx
    .selectFrom("job_videos")
    .select(["id", "attempts"])
    .where("job_id", "=", job.id)
    .where("status", "in", ["Queued", "Failed"])
    .orderBy("position")
    .execute();
  const ids = videos.map(({ id }) => id);
  const forgotten = await context.queue.videos.forget(trx, ids);
  if (!forgotten) return false;
  await trx
    .updateTable("job_videos")
    .set({
      ...NO_FAILURE,
      ...NOT_WAITING,
      status: "Queued",
      ended_at: null,
      samples_ended_at: null,
      earlier_attempts: sql<number>`attempts`,
      updated_at: sql<string>`now()`,
    })
    .where("job_id", "=", job.id)
    .where("status", "in", ["Queued", "Failed"])
    .where((eb) => eb.or([eb("attempts", ">", 0), eb("status", "=", "Failed")]))
    .execute();
  await trx
    .updateTable("job_outputs")
    .set({ ...NO_FAILURE, status: "Queued", progress: 0, updated_at: sql<string>`now()` })
    .where("job_id", "=", job.id)
    .where("status", "=", "Failed")
    .execute();
  await enqueueVideos(context, trx, job.id, videos, forgotten);
  return true;
}

/** Selects finished samples, the only files that guests may see. */
export function selectSamples(db: Kysely<Tables>, jobId: string) {
  return db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select(["job_outputs.id", "job_outputs.name", "width", "height", "job_outputs.duration_seconds"])
    .where("job_outputs.job_id", "=", jobId)
    .where("job_outputs.status", "=", "Completed")
    .where("storage_key", "is not", null)
    .where("segment", "=", 0)
    .where("variant", "=", sql<number>`any(job_videos.proof_variants)`)
    .orderBy("job_videos.position")
    .orderBy("variant");
}
