import { z } from "zod";
import { shownSamples } from "#contract/jobs/approval.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";

const MAX_REASON = 10_000;
const MAX_NEWEST_EVENTS = 1_000;

export const dashboardSchema = z.object({ since: z.iso.datetime({ offset: true }).optional() });

export const jobIdSchema = z.object({ jobId: z.uuid({ error: "The job ID is missing or not valid." }) });

/** The newest `limit` events, or all. */
export const jobEventsSchema = jobIdSchema.extend({
  limit: z.coerce.number().int().min(1).max(MAX_NEWEST_EVENTS).optional(),
});

export const videoIdSchema = z.object({ videoId: z.uuid({ error: "The video ID is missing or not valid." }) });

export const approveSchema = jobIdSchema.extend({ samples: shownSamples.optional() });

/** All waiting and failed videos, one of them, or those with this `error_message`. */
export const retryNowSchema = jobIdSchema.extend({
  videoId: z.uuid({ error: "The video ID is not valid." }).optional(),
  reason: z.string().max(MAX_REASON).optional(),
});

/** For a job that awaits approval. */
export const changeJobSchema = jobIdSchema.extend({
  settings: z.record(z.string(), z.unknown(), { error: "The settings must be a JSON object." }),
});

export const deleteJobsSchema = z.object({
  jobIds: z.array(z.uuid()).min(1).max(JOB_LIMITS.deletedAtOnce),
  /** Also deletes the jobs' routes. */
  delete_links: z.boolean().default(false),
});

export const idempotencyKeySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .nullish()
  .transform((key) => key ?? null);

export const systemPartSchema = z.object({
  part: z.enum(["all", "claiming"], { error: "part: must be all or claiming" }).default("all"),
});

/** Selects read or write, as in SPEC. */
export const methodSchema = z.object({ method: z.enum(["GET", "POST"]).default("POST") });
