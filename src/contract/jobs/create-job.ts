/** For the form and the server (SPEC section 5, DESIGN section 5). */
import { z } from "zod";
import { component } from "../component.ts";
import type { JobSettings, SettingName } from "../job-settings/job-settings.ts";
import { settingShapes, settingsExcept } from "../job-settings/response-settings.ts";
import { withDescriptions } from "../job-settings/setting-descriptions.ts";
import { schemaOf } from "../job-settings/setting-schema.ts";
import { SETTING_NAMES } from "../job-settings/setting-values.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { firstProblem, type JobProblem } from "./job-rules.ts";
import { withPlatformDefaults } from "./outputs/platforms.ts";
import { withReadLinks } from "./read-links.ts";

const REQUIRED_SETTINGS = ["job_name", "input_videos"] as const satisfies SettingName[];
export const OPTIONAL_SETTINGS = settingsExcept(REQUIRED_SETTINGS);

export const CreateJobRequest = component(
  "CreateJobRequest",
  "Fields except name and videos may be absent or null; `rows` can replace the videos.",
  () =>
    withDescriptions({
      ...settingShapes.whole(REQUIRED_SETTINGS),
      ...settingShapes.requested(OPTIONAL_SETTINGS),
    }),
);
export type CreateJobRequest = z.infer<typeof CreateJobRequest>;

/** Outputs all defaults and trimmed texts. */
export const createJobSchema = z.object(Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaOf(name)])));

export type ParsedCreateJob = { ok: true; input: JobSettings } | { ok: false; problem: JobProblem };

/** Checks SPEC's rules in order, then types and limits, to report the form's error. */
export function parseCreateJob(body: unknown, accepted: AcceptedSources): ParsedCreateJob {
  const problem = firstProblem(body, accepted);
  if (problem) return { ok: false, problem };
  const parsed = createJobSchema.safeParse(withReadLinks(withPlatformDefaults(body)));
  if (parsed.success) return { ok: true, input: parsed.data as JobSettings };
  return { ok: false, problem: { title: "Invalid Job", description: describeIssue(parsed.error) } };
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "The job could not be read";
  const [first, place, ...rest] = issue.path;
  if (first === "rows" && typeof place === "number") {
    const field = rest.filter((part) => part !== "settings").join(".");
    return `Row ${place + 1}: ${field === "" ? "" : `${field}: `}${issue.message}`;
  }
  const field = issue.path.length > 0 ? issue.path.join(".") : "The request";
  return `${field}: ${issue.message}`;
}
