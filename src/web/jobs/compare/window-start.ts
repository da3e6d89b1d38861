import { assignOutputs } from "#contract/jobs/assignment.ts";
import type { Job, JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

type Settings = Pick<Job, "variants_per_video" | "segmentation_type" | "segment_duration">;

/** Returns where in its source an output starts, in seconds; null if the source's length is unknown. */
export function windowStart(
  job: Settings,
  { position, duration_seconds: durationSeconds }: Pick<JobVideo, "position" | "duration_seconds">,
  { variant, segment }: Pick<JobOutput, "variant" | "segment">,
): number | null {
  if (job.segmentation_type === null) return 0;
  if (durationSeconds === null) return null;
  const outputs = assignOutputs({
    videoIndex: position,
    durationSeconds,
    variants: job.variants_per_video,
    captions: 0,
    tracks: 0,
    segmentation: { type: job.segmentation_type, segmentSeconds: job.segment_duration },
  });
  const own = outputs.find((output) => output.variant === variant && output.segment === segment);
  return own?.window?.startSeconds ?? 0;
}
