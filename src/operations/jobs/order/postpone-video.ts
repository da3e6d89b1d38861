import { sql } from "kysely";
import type { Failure } from "#contract/jobs/failures.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { postponeAttempt } from "../../attempts/task-rows.ts";
import type { Context } from "../../context.ts";
import type { Wait } from "../../hosts/find-cooldown.ts";
import { wakeIfTranscribed } from "../../transcripts/transcript-task.ts";
import { withJob } from "../lock-job.ts";

/** Like postponeAttempt. Also returns false if the job is being cancelled. */
export function postponeVideo(
  context: Pick<Context, "db" | "queue">,
  { videoId, ...task }: Omit<VideoTask, "startTag"> & { attempt: number },
  failure: Failure,
  wait: Wait | null = null,
): Promise<boolean> {
  return withJob(context.db, task.jobId, async (trx, job) => {
    if (job?.status !== "Processing") return false;
    const claim = { ...task, taskId: videoId };
    if (!(await postponeAttempt(context, trx, "videos", claim, { failure, wait }))) return false;
    await trx
      .updateTable("job_outputs")
      .set({ status: "Queued", progress: 0, updated_at: sql<string>`now()` })
      .where("video_id", "=", videoId)
      .where("status", "=", "Processing")
      .execute();
    if (wait && "seconds" in wait && wait.isForTranscript) await wakeIfTranscribed(context, trx, videoId);
    return true;
  });
}
