import type { Transaction } from "kysely";
import type { OutputEventData } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import { writeEvent } from "./write-event.ts";

/** Writes the event of a finished file, for those who want it. */
export async function writeOutputEvent(trx: Transaction<Tables>, outputId: string): Promise<void> {
  const { updated_at: timestamp, ...data } = await trx
    .selectFrom("job_outputs")
    .innerJoin("jobs", "jobs.id", "job_id")
    .innerJoin("job_videos", "job_videos.id", "video_id")
    .select(["job_id", "job_name", "job_outputs.id as output_id", "job_outputs.name", "position", "variant", "segment"])
    .select(["job_outputs.duration_seconds", "width", "height", "size_bytes", "sha256", "job_outputs.updated_at"])
    .where("job_outputs.id", "=", outputId)
    .executeTakeFirstOrThrow();
  await writeEvent(trx, {
    type: "output.completed",
    timestamp,
    data: data satisfies OutputEventData,
    jobId: data.job_id,
  });
}
