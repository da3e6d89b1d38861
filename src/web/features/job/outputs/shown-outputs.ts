import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

/**
 * The files of a video that get a card: all of them while it is worked on; afterwards those that were made, and those
 * that failed for a reason of their own.
 */
export function shownOutputs(video: JobVideo, outputs: readonly JobOutput[]): readonly JobOutput[] {
  if (video.status === "Processing" || video.status === "Completed") return outputs;
  return outputs.filter(
    (output) =>
      output.status === "Completed" || (output.error_message !== null && output.error_message !== video.error_message),
  );
}
