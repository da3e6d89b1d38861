import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { GeneratorForm } from "../captions/generator-form.ts";
import { type JobForm, NO_PRESET } from "./job-form.ts";
import { toFields } from "../setting-fields.ts";

/** The generator and the preset are not part of a job. */
export function formFromJob(job: WholeJob, generator: GeneratorForm): JobForm {
  // The videos of slots are their clips.
  const videos = job.slots.length > 0 && { videoLinks: "" };
  return { ...toFields(job), ...videos, ...NO_PRESET, generator };
}
