import type { Assignment } from "#contract/jobs/outputs/assignment.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";

/** Skips outputs whose track is missing from `tracks` (by index in the job). Keys are places in the video. */
export function toRenderRequest(
  job: ClaimedVideo["job"],
  { source, tracks, captions, watermarkImage = null, assignments }: RequestParts,
): RenderRequest {
  const places = new Map([...tracks.keys()].map((trackIndex, place) => [trackIndex, place]));
  const makeable = assignments.filter(({ trackIndex }) => trackIndex === null || places.has(trackIndex));
  return {
    source,
    tracks: [...tracks.values()],
    captions,
    watermark: job.watermark_enabled ? job.watermark_text : null,
    watermarkImage,
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
  watermarkImage?: string | null;
  assignments: Assignment[];
};

export function placeOf(output: { variant: number; segment: number }): string {
  return `${output.variant}.${output.segment}`;
}
