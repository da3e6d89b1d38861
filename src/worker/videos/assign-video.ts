import { type Assignment, assignOutputs, type Segmentation } from "#contract/jobs/assignment.ts";
import { playedSeconds } from "#media/plan/plan-render.ts";
import type { Probe } from "#media/probe/probe.ts";
import { isOnlySamples } from "#operations/jobs/proof/proof-states.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";

type Job = ClaimedVideo["job"];

/** Returns the captions that a job uses. */
export function captionsOf(job: Job): string[] {
  return job.captions_enabled ? job.custom_captions : [];
}

/** Returns the links of the music that a job uses. */
export function trackLinksOf(job: Job): string[] {
  return job.audio_enabled ? job.custom_audio_links : [];
}

/** Assigns windows, captions and tracks to the outputs of the job's video at `position`. Throws like assignOutputs. */
export function assignVideo(job: Job, position: number, probe: Probe): Assignment[] {
  const tracks = trackLinksOf(job).length;
  return assignOutputs({
    videoIndex: position,
    durationSeconds: playedSeconds(probe, tracks > 0 && job.audio_mode === "replace"),
    variants: job.variants_per_video,
    captions: captionsOf(job).length,
    tracks,
    segmentation: segmentationOf(job),
  });
}

/**
 * Returns the outputs to make of the job's video now, and the number of all its outputs. Until a proof is approved, only
 * its samples are made: the first segments of some variants. Throws like assignOutputs.
 */
export function assignWanted(
  job: Job,
  video: Pick<ClaimedVideo["video"], "position" | "proof_variants">,
  probe: Probe,
): { wanted: Assignment[]; count: number } {
  const all = assignVideo(job, video.position, probe);
  const isSample = ({ variant, segment }: Assignment) => segment === 0 && video.proof_variants?.includes(variant);
  return { wanted: isOnlySamples(job) ? all.filter(isSample) : all, count: all.length };
}

/** Returns the links of the music in these outputs, each once. */
export function assignedTracks(job: Job, outputs: readonly Assignment[]): string[] {
  const indexes = outputs.flatMap(({ trackIndex }) => (trackIndex === null ? [] : [trackIndex]));
  return [...new Set(indexes)].map((index) => trackLinksOf(job)[index]!);
}

function segmentationOf(job: Job): Segmentation {
  return job.segmentation_type ? { type: job.segmentation_type, segmentSeconds: job.segment_duration } : null;
}
