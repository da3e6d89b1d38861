import { sql, type Transaction } from "kysely";
import { TOO_MANY_FILES } from "#contract/jobs/assignment.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type CostLimits, JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { requireAffordable } from "./require-affordable.ts";
import { lockJob } from "../set-job-status.ts";

/** PostgreSQL accepts at most 65,535 values per statement. */
const ROWS_PER_STATEMENT = 5_000;

export type PlannedOutput = {
  variant: number;
  segment: number;
  name: string;
  caption: string | null;
  track: string | null;
};

/** An incomplete output, with its row's id. */
export type PendingOutput = PlannedOutput & { id: string };

/**
 * Writes a video's planned outputs and its source's facts. Returns pending outputs, keeping files stored by earlier
 * attempts; null if a later attempt has taken over. Throws ClipmillError "too_large" if the job would exceed the file
 * limit, or the video or job the encoding allowed by `cost`.
 */
export function planOutputs(
  context: Pick<Context, "db">,
  video: { jobId: string; videoId: string; attempt: number; name: string; durationSeconds: number },
  outputs: PlannedOutput[],
  cost: { minutes: number; limits: CostLimits } | null = null,
): Promise<PendingOutput[] | null> {
  return context.db.transaction().execute(async (trx) => {
    await lockJob(trx, video.jobId);
    const claimed = await trx
      .updateTable("job_videos")
      .set({
        name: video.name,
        duration_seconds: video.durationSeconds,
        cost_minutes: cost?.minutes ?? null,
        stage: "Rendering",
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", video.videoId)
      .where("attempts", "=", video.attempt)
      .where("status", "=", "Processing")
      .returning("id")
      .executeTakeFirst();
    if (!claimed) return null;
    await requireRoom(trx, video, outputs.length);
    if (cost) await requireAffordable(trx, { ...video, costMinutes: cost.minutes }, cost.limits);
    const planned = outputs.map((output) => ({ ...output, job_id: video.jobId, video_id: video.videoId }));
    const pending: PendingOutput[] = [];
    for (let start = 0; start < outputs.length; start += ROWS_PER_STATEMENT) {
      const rows = await trx
        .insertInto("job_outputs")
        .values(planned.slice(start, start + ROWS_PER_STATEMENT))
        .onConflict((row) =>
          row.columns(["video_id", "variant", "segment"]).doUpdateSet({
            // A later attempt may be the first to know the name.
            track: sql<string>`case job_outputs.status when 'Completed' then job_outputs.track else excluded.track end`,
            updated_at: sql<string>`now()`,
          }),
        )
        .returning(["id", "variant", "segment", "name", "caption", "track", "status"])
        .execute();
      pending.push(...rows.filter((row) => row.status !== "Completed"));
    }
    return pending;
  });
}

/** Checks the file limit. With segments, the number of files is known only once the videos are. */
async function requireRoom(
  trx: Transaction<Tables>,
  video: { jobId: string; videoId: string },
  wanted: number,
): Promise<void> {
  const { others } = await trx
    .selectFrom("job_outputs")
    .select((eb) => eb.fn.countAll<number>().as("others"))
    .where("job_id", "=", video.jobId)
    .where("video_id", "!=", video.videoId)
    .executeTakeFirstOrThrow();
  if (others + wanted <= JOB_LIMITS.outputs) return;
  throw new ClipmillError("too_large", TOO_MANY_FILES, { facts: { others, wanted } });
}
