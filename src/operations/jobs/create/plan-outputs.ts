import { type Kysely, sql, type Transaction } from "kysely";
import { DatabaseError } from "pg";
import { TOO_MANY_FILES, type Window } from "#contract/jobs/outputs/assignment.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type CostLimits, JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { claimNames, keyOfName } from "./insert-job.ts";
import { requireAffordable } from "./prepare-job.ts";
import { type LockedJob, requireAlone, withJob } from "../lock-job.ts";

/** A later attempt replaces these columns. The name stays: attempts remove each other's files by it. */
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
  /** Defaults to `name`. */
  nameIfTaken?: string;
  trackLink?: string | null;
  /** Part of the source; null if unknown. */
  window?: Window | null;
};

export type PendingOutput = Pick<PlannedOutput, "variant" | "segment" | "name" | "caption" | "track"> & { id: string };

type Place = { jobId: string; videoId: string; attempt: number };
/** `pass` are the file names of an assembled video's parts. */
type Source = Place & { name: string; durationSeconds: number; pass?: Record<string, string> | null };
type Cost = { minutes: number; limits: CostLimits };

/**
 * Returns pending outputs, keeping files stored by earlier attempts; null if a later attempt has taken over. Throws
 * ClipmillError "too_large" above the file limit, or the encoding allowed by `cost`.
 */
export async function planOutputs(
  context: Pick<Context, "db">,
  video: Source,
  outputs: PlannedOutput[],
  cost: Cost | null = null,
): Promise<PendingOutput[] | null> {
  if (!(await reserve(context.db, video, { outputs: outputs.length, minutes: cost?.minutes ?? 0 }))) return null;
  try {
    return await withJob(context.db, video.jobId, (trx, job) => plan(trx, job, { video, outputs, cost }));
  } catch (error) {
    // The job's other videos must not count a rejected demand.
    if (error instanceof ClipmillError && error.code === "too_large") await reserve(context.db, video, null);
    throw error;
  }
}

/**
 * Commits the video's demand before reading that of others: of two videos planned at the same time, at least one sees
 * the other. Returns false for a stale attempt.
 */
async function reserve(
  db: Kysely<Tables>,
  { videoId, attempt }: Place,
  wanted: { outputs: number; minutes: number } | null,
): Promise<boolean> {
  const planned = sql<number>`(select count(*) from job_outputs where video_id = job_videos.id)`;
  const { numUpdatedRows } = await db
    .updateTable("job_videos")
    .set({
      planned_outputs: wanted && sql<number>`greatest(${wanted.outputs}::int, ${planned})`,
      planned_minutes: wanted && wanted.minutes,
    })
    .where("id", "=", videoId)
    .where("attempts", "=", attempt)
    .where("status", "=", "Processing")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function plan(
  trx: Transaction<Tables>,
  job: LockedJob | null,
  { video, outputs, cost }: { video: Source; outputs: PlannedOutput[]; cost: Cost | null },
): Promise<PendingOutput[] | null> {
  const claimed = await trx
    .updateTable("job_videos")
    .set({
      name: video.name,
      duration_seconds: video.durationSeconds,
      ...(video.pass && { row_pass: JSON.stringify(video.pass) }),
      cost_minutes: cost?.minutes ?? null,
      stage: "Rendering",
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", video.videoId)
    .where("attempts", "=", video.attempt)
    .where("status", "=", "Processing")
    .returning(WANTED_BY_OTHERS.as("others"))
    .executeTakeFirst();
  if (!job || !claimed) return null;
  if (!fits(claimed.others, outputs.length, cost)) {
    requireAlone(job);
    await requireRoom(trx, video, outputs.length);
    if (cost) await requireAffordable(trx, { ...video, costMinutes: cost.minutes }, cost.limits);
  }
  const names = await claimNames(trx, video, outputs.map(withOtherName));
  try {
    return await insertOutputs(
      trx,
      outputs.map((output, i) => toRow(video, output, names[i]!)),
    );
  } catch (error) {
    // Two videos chose the same name at the same time.
    if (error instanceof DatabaseError && CONFLICTS.has(error.code ?? "")) requireAlone(job);
    throw error;
  }
}

/** Unique violation, and deadlock between two entries of the index. */
const CONFLICTS = new Set(["23505", "40P01"]);

/** Outputs and minutes reserved by the job's other videos. */
const WANTED_BY_OTHERS = sql<[outputs: number, minutes: number]>`(
  select json_build_array(coalesce(sum(planned_outputs), 0), coalesce(sum(planned_minutes), 0))
  from job_videos other where other.job_id = job_videos.job_id and other.id <> job_videos.id)`;

function fits([outputs, minutes]: [number, number], wanted: number, cost: Cost | null): boolean {
  if (outputs + wanted > JOB_LIMITS.outputs) return false;
  if (!cost) return true;
  return cost.minutes <= cost.limits.videoMinutes && minutes + cost.minutes <= cost.limits.jobMinutes;
}

async function insertOutputs(trx: Transaction<Tables>, planned: ReturnType<typeof toRow>[]): Promise<PendingOutput[]> {
  const pending: PendingOutput[] = [];
  for (let start = 0; start < planned.length; start += ROWS_PER_STATEMENT) {
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

/** With segments, the number of files is known only once the videos are. */
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
