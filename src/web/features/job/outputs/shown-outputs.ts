import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

/**
 * Returns all files of a processing or completed video; otherwise completed files and those whose error differs from
 * the video's.
 */
export function shownOutputs(video: JobVideo, outputs: readonly JobOutput[]): readonly JobOutput[] {
  if (video.status === "Processing" || video.status === "Completed") return outputs;
  return outputs.filter(
    (output) =>
      output.status === "Completed" || (output.error_message !== null && output.error_message !== video.error_message),
  );
}
