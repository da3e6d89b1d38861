import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { CostLimits } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Costs are in minutes of 1080p at 30 frames per second. Throws ClipmillError "too_large" above a limit. Requires the
 * job's lock.
 */
export async function requireAffordable(
  trx: Transaction<Tables>,
  video: { jobId: string; videoId: string; costMinutes: number },
  limits: CostLimits,
): Promise<void> {
  if (video.costMinutes > limits.videoMinutes) {
    const taken = `This video would take about ${inMinutes(video.costMinutes)} of encoding`;
    const allowed = `more than the ${limits.videoMinutes.toLocaleString("en-US")} allowed per video (VIDEO_COST_LIMIT_MINUTES)`;
    throw tooLarge(
      `${taken}, ${COUNTED}, ${allowed}. Use a shorter video or fewer captions.`,
      video.costMinutes,
      limits,
    );
  }
  const { others } = await trx
    .selectFrom("job_videos")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("cost_minutes"), eb.val(0)).as("others"))
    .where("job_id", "=", video.jobId)
    .where("id", "!=", video.videoId)
    .executeTakeFirstOrThrow();
  const jobMinutes = others + video.costMinutes;
  if (jobMinutes <= limits.jobMinutes) return;
  const taken = `With this video, the job would take about ${inMinutes(jobMinutes)} of encoding`;
  const allowed = `more than the ${limits.jobMinutes.toLocaleString("en-US")} allowed per job (JOB_COST_LIMIT_MINUTES)`;
  throw tooLarge(`${taken}, ${COUNTED}, ${allowed}. Split the job, or use fewer captions.`, jobMinutes, limits);
}

const COUNTED = "counted as 1080p at 30 frames per second";

function tooLarge(sentence: string, costMinutes: number, limits: CostLimits): ClipmillError {
  return new ClipmillError("too_large", sentence, { facts: { costMinutes, ...limits } });
}

function inMinutes(minutes: number): string {
  const rounded = Number(minutes.toPrecision(3));
  return `${rounded.toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${rounded === 1 ? "minute" : "minutes"}`;
}
