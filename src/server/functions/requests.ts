/** What the functions take, where no other schema says it already. */
import { z } from "zod";

const MOST_DELETED_AT_ONCE = 1_000;
const LONGEST_REASON = 10_000;

export const dashboardSchema = z.object({ since: z.iso.datetime({ offset: true }).optional() });

export const jobIdSchema = z.object({ jobId: z.uuid({ error: "The job's id is missing or not valid." }) });

/** Selects all waiting and failed videos of a job, one of them, or those whose `error_message` is the reason. */
export const retryNowSchema = jobIdSchema.extend({
  videoId: z.uuid({ error: "The video's id is not valid." }).optional(),
  reason: z.string().max(LONGEST_REASON).optional(),
});

export const deleteJobsSchema = z.object({ jobIds: z.array(z.uuid()).min(1).max(MOST_DELETED_AT_ONCE) });

/** Names a create request, so that sending it again makes no second job. */
export const idempotencyKeySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .nullish()
  .transform((key) => key ?? null);

/** Which part of the function system is asked for; all of it unless told. */
export const systemPartSchema = z.object({
  part: z.enum(["all", "claiming"], { error: "part: all or claiming" }).default("all"),
});

/** How the functions of SPEC say that they are read or written: in the body. */
export const methodSchema = z.object({ method: z.enum(["GET", "POST"]).default("POST") });
