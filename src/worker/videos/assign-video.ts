import { type Assignment, assignOutputs, partOf } from "#contract/jobs/assignment.ts";
import { captionsOf, segmentationOf, trackLinksOf } from "#contract/jobs/video-settings.ts";
import { playedSeconds } from "#media/plan/plan-render.ts";
import type { Probe } from "#media/probe/probe.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";

/** Assigns windows, captions and tracks to the outputs of a video. Throws like partOf and assignOutputs. */
export function assignVideo({ job, turns }: Pick<ClaimedVideo, "job" | "turns">, probe: Probe): Assignment[] {
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

/** Returns the links of the music in these outputs, each once. */
export function assignedTracks(job: ClaimedVideo["job"], outputs: readonly Assignment[]): string[] {
  const indexes = outputs.flatMap(({ trackIndex }) => (trackIndex === null ? [] : [trackIndex]));
  return [...new Set(indexes)].map((index) => trackLinksOf(job)[index]!);
}
