import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { GeneratorForm } from "../captions/generator-form.ts";
import type { JobForm } from "./job-form.ts";
import { toFields } from "../setting-fields.ts";

/** The form that asks for what `job` asked for, to be edited. The generator is no part of a job and stays as it is. */
export function formFromJob(job: WholeJob, generator: GeneratorForm): JobForm {
  return { ...toFields(job), generator };
}
