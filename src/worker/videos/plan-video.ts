import { streamSettings } from "#contract/job-settings/setting-values.ts";
import { type Assignment, assignOutputs, partOf } from "#contract/jobs/outputs/assignment.ts";
import { captionsOf, segmentationOf, trackLinksOf } from "#contract/jobs/video-settings.ts";
import { playedSeconds } from "#media/plan/plan-render.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import { putAround } from "#media/plan/timeline.ts";
import type { Probe } from "#media/probe/probe.ts";
import { isOnlySamples } from "#operations/jobs/proof/wait-for-approval.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";

function assignVideo({ job, turns }: Pick<ClaimedVideo, "job" | "turns">, probe: Probe): Assignment[] {
  const tracks = trackLinksOf(job).length;
  const durationSeconds = playedSeconds(probe, tracks > 0 && job.audio_mode === "replace");
  return assignOutputs({
    turns,
    durationSeconds,
    part: partOf(durationSeconds, job),
    variants: job.variants_per_video,
    captions: captionsOf(job).length,
    tracks,
    segmentation: segmentationOf(job),
  });
}

/**
 * `wanted` are the outputs to make now, `count` is that of all. Until a proof is approved, only its samples are wanted:
 * the first segments of some variants. Throws like assignOutputs.
 */
export function assignWanted(
  claim: Pick<ClaimedVideo, "job" | "turns"> & { video: Pick<ClaimedVideo["video"], "proof_variants"> },
  probe: Probe,
): { wanted: Assignment[]; count: number } {
  const all = assignVideo(claim, probe);
  const samples = claim.video.proof_variants ?? [];
  const isSample = ({ variant, segment }: Assignment) => segment === 0 && samples.includes(variant);
  return { wanted: isOnlySamples(claim.job) ? all.filter(isSample) : all, count: all.length };
}

export function assignedTracks(job: ClaimedVideo["job"], outputs: readonly Assignment[]): string[] {
  const indexes = outputs.flatMap(({ trackIndex }) => (trackIndex === null ? [] : [trackIndex]));
  return [...new Set(indexes)].map((index) => trackLinksOf(job)[index]!);
}

/** Skips outputs whose track is missing from `tracks` (by index in the job). Keys are places in the video. */
export function toRenderRequest(
  job: ClaimedVideo["job"],
  { source, intro = null, outro = null, tracks, captions, watermarkImage = null, assignments }: RequestParts,
): RenderRequest {
  const { sources, partsOf } = putAround(source, { intro, outro });
  const places = new Map([...tracks.keys()].map((trackIndex, place) => [trackIndex, place]));
  const makeable = assignments.filter(({ trackIndex }) => trackIndex === null || places.has(trackIndex));
  return {
    sources,
    tracks: [...tracks.values()],
    captions,
    watermark: job.watermark_enabled ? job.watermark_text : null,
    watermarkImage,
    settings: streamSettings(job),
    outputs: makeable.map(({ window, captionIndex, trackIndex, ...place }) => ({
      key: placeOf(place),
      parts: partsOf(window),
      captionIndex,
      trackIndex: trackIndex === null ? null : places.get(trackIndex)!,
    })),
  };
}

type RequestParts = {
  source: MediaFile;
  intro?: MediaFile | null;
  outro?: MediaFile | null;
  tracks: ReadonlyMap<number, MediaFile>;
  captions: string[];
  watermarkImage?: string | null;
  assignments: Assignment[];
};

export function placeOf(output: { variant: number; segment: number }): string {
  return `${output.variant}.${output.segment}`;
}
