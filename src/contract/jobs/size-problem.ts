/** Also loaded by screens that only rerun jobs. */
import { z } from "zod";
import { component } from "../component.ts";
import { utf8Bytes } from "../storable-text.ts";
import { JOB_LIMITS, type WholeJob } from "./jobs.ts";
import { bytesOfRows } from "./rows.ts";

export const JobProblem = component("JobProblem", "For a toast.", () => ({
  title: z.string(),
  description: z.string(),
}));
export type JobProblem = z.infer<typeof JobProblem>;

/** Checks the total size of captions, links, rows and slots. Older jobs may be larger. */
export function sizeProblem(
  job: Pick<WholeJob, "input_videos" | "custom_captions" | "custom_audio_links"> &
    Partial<Pick<WholeJob, "slots" | "exclude">> & { rows?: readonly object[] },
): JobProblem | null {
  const { slots = [], exclude = [] } = job;
  const ofSlots = slots.flatMap(({ captions = [] }) => captions);
  if (utf8Bytes(job.custom_captions) + utf8Bytes(ofSlots) > JOB_LIMITS.captionBytes) {
    return { title: "Too Much Caption Text", description: "A job can have at most 1 MB of caption text" };
  }
  const links = [...job.input_videos, ...job.custom_audio_links, ...exclude.flat()];
  if (utf8Bytes(links) > JOB_LIMITS.linkBytes) {
    return { title: "Links Too Long", description: "A job can have at most 2 MB of video and audio links" };
  }
  if (job.rows && bytesOfRows(job.rows, JOB_LIMITS.rowBytes) > JOB_LIMITS.rowBytes) {
    return { title: "Rows Too Large", description: "The rows of a job can total at most 4 MB" };
  }
  return null;
}
