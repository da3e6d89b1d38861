/** How a finished file was made: settings, part of the source, caption and track. */
import { type Assignment, assignOutputs, partOf } from "#contract/jobs/outputs/assignment.ts";
import type { Job, JobOutput, JobVideo, WholeJob } from "#contract/jobs/jobs.ts";
import {
  captionsOf,
  clockSpeed,
  formatsOf,
  languagesOf,
  segmentationOf,
  settingsOfVideo,
  trackLinksOf,
  turnsOf,
} from "#contract/jobs/video-settings.ts";

export type OutputAssignment = { settings: WholeJob; assignment: Assignment };

/** Returns null if the source's length is unknown or the job's settings do not produce this output. */
export function assignmentOf(
  job: Job,
  { position, duration_seconds: durationSeconds }: Pick<JobVideo, "position" | "duration_seconds">,
  { variant, segment }: Pick<JobOutput, "variant" | "segment">,
): OutputAssignment | null {
  if (durationSeconds === null) return null;
  const whole: WholeJob = { input_videos: [], custom_captions: [], custom_audio_links: [], rows: [], ...job };
  const row = whole.rows[position]?.settings ?? null;
  const settings = settingsOfVideo(whole, row);
  try {
    const assignments = assignOutputs({
      turns: turnsOf(whole, row, position),
      durationSeconds,
      part: partOf(durationSeconds, settings, clockSpeed(settings)),
      speed: clockSpeed(settings),
      variants: settings.variants_per_video,
      formats: formatsOf(settings).length,
      languages: languagesOf(settings).length,
      captions: captionsOf(settings).length,
      tracks: trackLinksOf(settings).length,
      segmentation: segmentationOf(settings),
    });
    const assignment = assignments.find((output) => output.variant === variant && output.segment === segment);
    return assignment ? { settings, assignment } : null;
  } catch {
    // A job that ran cannot be too large; a source's measured length may differ from its header's.
    return null;
  }
}
