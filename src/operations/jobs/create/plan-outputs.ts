import { sql, type Transaction } from "kysely";
import { TOO_MANY_FILES, type Window } from "#contract/jobs/assignment.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type CostLimits, JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { claimNames, keyOfName } from "./claim-names.ts";
import { requireAffordable } from "./require-affordable.ts";
import { lockJob } from "../set-job-status.ts";

/** Columns that a later attempt replaces. The name stays: attempts remove each other's files by it. */
const REPLACED = ["track", "track_link", "start_seconds", "end_seconds"] as const;

function unlessCompleted(column: (typeof REPLACED)[number]) {
  return sql`case job_outputs.status when 'Completed' then job_outputs.${sql.ref(column)} else excluded.${sql.ref(column)} end`;
}

/** PostgreSQL accepts at most 65,535 values per statement. */
const ROWS_PER_STATEMENT = 5_000;

export type PlannedOutput = {
  variant: number;
  segment: number;
  name: string;
  caption: string | null;
  track: string | null;
  /** For an output whose name another one has; by default, that cannot be. */
  nameIfTaken?: string;
  trackLink?: string | null;
  /** The part of the source; by default unknown. */
  window?: Window | null;
};

/** An incomplete output, with its row's id. */
export type PendingOutput = Pick<PlannedOutput, "variant" | "segment" | "name" | "caption" | "track"> & { id: string };

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
    const names = await claimNames(trx, video, outputs.map(withOtherName));
    const planned = outputs.map((output, i) => toRow(video, output, names[i]!));
    const pending: PendingOutput[] = [];
    for (let start = 0; start < outputs.length; start += ROWS_PER_STATEMENT) {
      const rows = await trx
        .insertInto("job_outputs")
        .values(planned.slice(start, start + ROWS_PER_STATEMENT))
        .onConflict((row) =>
          row.columns(["video_id", "variant", "segment"]).doUpdateSet({
            // A later attempt may be the first to know the name, or meet a source that has changed.
            ...Object.fromEntries(REPLACED.map((column) => [column, unlessCompleted(column)])),
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

function withOtherName(output: PlannedOutput) {
  return { ...output, nameIfTaken: output.nameIfTaken ?? output.name };
}

function toRow(video: { jobId: string; videoId: string }, output: PlannedOutput, name: string) {
  const { variant, segment, caption, track, trackLink = null, window = null } = output;
  return {
    job_id: video.jobId,
    video_id: video.videoId,
    variant,
    segment,
    name,
    name_key: keyOfName(name),
    caption,
    track,
    track_link: trackLink,
    start_seconds: window?.startSeconds ?? null,
    end_seconds: window?.endSeconds ?? null,
  };
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
