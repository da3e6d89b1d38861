import type { Transaction } from "kysely";
import type { OutputEventData } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { writeEvent } from "./write-event.ts";

export async function writeOutputEvent(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  outputId: string,
): Promise<void> {
  const { updated_at: timestamp, ...data } = await trx
    .selectFrom("job_outputs")
    .innerJoin("jobs", "jobs.id", "job_outputs.job_id")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select(["jobs.id as job_id", "jobs.job_name", "job_outputs.id as output_id", "job_outputs.name"])
    .select(["job_videos.position", "job_outputs.variant", "job_outputs.segment", "job_outputs.duration_seconds"])
    .select(["job_outputs.width", "job_outputs.height", "job_outputs.size_bytes", "job_outputs.sha256"])
    .select("job_outputs.updated_at")
    .where("job_outputs.id", "=", outputId)
    .executeTakeFirstOrThrow();
  await writeEvent(context, trx, {
    type: "output.completed",
    timestamp,
    data: data satisfies OutputEventData,
    jobId: data.job_id,
  });
}
