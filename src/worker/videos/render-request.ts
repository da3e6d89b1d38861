/** Converts a job's settings for one video to a render request. */
import type { Assignment } from "#contract/jobs/assignment.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";

/**
 * Returns the request for all outputs that can be made: outputs with a track missing from `tracks`, which is keyed by
 * index in the job, are left out. An output's key is its place in the video.
 */
export function toRenderRequest(
  job: ClaimedVideo["job"],
  { source, tracks, captions, assignments }: RequestParts,
): RenderRequest {
  const places = new Map([...tracks.keys()].map((trackIndex, place) => [trackIndex, place]));
  const makeable = assignments.filter(({ trackIndex }) => trackIndex === null || places.has(trackIndex));
  return {
    source,
    tracks: [...tracks.values()],
    captions,
    watermark: job.watermark_enabled ? job.watermark_text : null,
    settings: streamSettings(job),
    outputs: makeable.map((output) => ({
      key: placeOf(output),
      assignment: { ...output, trackIndex: output.trackIndex === null ? null : places.get(output.trackIndex)! },
    })),
  };
}

type RequestParts = {
  source: MediaFile;
  tracks: ReadonlyMap<number, MediaFile>;
  captions: string[];
  assignments: Assignment[];
};

/** Returns an output's place in its video as "variant.segment". */
export function placeOf(output: { variant: number; segment: number }): string {
  return `${output.variant}.${output.segment}`;
}
