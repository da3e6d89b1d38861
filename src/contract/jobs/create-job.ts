/** What a job may ask for: one set of rules for the form and the server (SPEC section 5, DESIGN section 5). */
import { z } from "zod";
import { firstProblem, type JobProblem } from "./job-rules.ts";
import type { JobSettings } from "../job-settings/job-settings.ts";
import { schemaOf } from "../job-settings/setting-schema.ts";
import { SETTING_NAMES } from "../job-settings/setting-values.ts";

type Required = "job_name" | "input_videos";

/** What may be sent: every field but the name and the videos may be absent or null. */
export type CreateJobRequest = Pick<JobSettings, Required> & {
  [Name in Exclude<keyof JobSettings, Required>]?: JobSettings[Name] | null;
};

/** The body of the call jobs, create. Its output is what the request means: every default filled in, every text trimmed. */
export const createJobSchema = z.object(Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaOf(name)])));

export type ParsedCreateJob = { ok: true; input: JobSettings } | { ok: false; problem: JobProblem };

/**
 * Checks a create request whole. SPEC's rules come first and in SPEC's order, then types and limits, so that the
 * message is the one the form would have shown.
 */
export function parseCreateJob(body: unknown): ParsedCreateJob {
  const problem = firstProblem(body);
  if (problem) return { ok: false, problem };
  const parsed = createJobSchema.safeParse(body);
  if (parsed.success) return { ok: true, input: parsed.data as JobSettings };
  return { ok: false, problem: { title: "Invalid Job", description: describeIssue(parsed.error) } };
}

/** One sentence naming the first field that is wrong and what it may be. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "The job could not be read";
  const field = issue.path.length > 0 ? issue.path.join(".") : "The request";
  return `${field}: ${issue.message}`;
}
