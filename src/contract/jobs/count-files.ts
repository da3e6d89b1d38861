/** Counts a job's files before it starts. Pure. */
import { captionIndexOf, segmentCount, type Segmentation, trackIndexOf } from "./assignment.ts";
import { JOB_LIMITS } from "./jobs.ts";
import { linkKey, parseLink } from "../sources/links.ts";

export type FileCounts = {
  files: number;
  /** The rest are copies. */
  different: number;
  /** False with `multiple` while a length is unknown: both counts then assume one clip per variant of that video. */
  isExact: boolean;
};

/** In seconds, of each video; null while unknown. */
export type Durations = readonly (number | null)[];

/**
 * Files are copies if source, clip, caption and track match, even if links are written differently. With `single`,
 * assumes that videos of unknown length are longer than a clip. Above the file limit, does not look for copies.
 */
export function countFiles(job: {
  videos: readonly string[];
  durations?: Durations;
  variants: number;
  captions: readonly string[];
  tracks: readonly string[];
  segmentation: Segmentation;
}): FileCounts {
  const { variants, segmentation, durations = [] } = job;
  const clips = job.videos.map((_, video) => clipCount(durations[video] ?? null, segmentation));
  const files = variants * clips.reduce((sum, count) => sum + count, 0);
  const isExact = segmentation?.type !== "multiple" || job.videos.every((_, video) => durations[video] != null);
  if (files > JOB_LIMITS.outputs) return { files, different: files, isExact };
  const sources = numberAlike(job.videos.map(keyOf));
  const captions = numberAlike(job.captions);
  const tracks = numberAlike(job.tracks.map(keyOf));
  const different = new Map<string, number>();
  for (let n = 0; n < job.videos.length * variants; n++) {
    const video = Math.floor(n / variants);
    const source = sources[video];
    const clip = isSpread(durations[video] ?? null, segmentation) ? n % variants : 0;
    const caption = captions[captionIndexOf(n, captions.length) ?? -1];
    const track = tracks[trackIndexOf(n, captions.length, tracks.length) ?? -1];
    different.set(`${source} ${clip} ${caption} ${track}`, clips[video]!);
  }
  return { files, different: [...different.values()].reduce((sum, count) => sum + count, 0), isExact };
}

/** Returns the seconds of all files together; null while a length is unknown. */
export function countOutputSeconds(durations: Durations, variants: number, segmentation: Segmentation): number | null {
  const most = segmentation?.type === "single" ? segmentation.segmentSeconds : Infinity;
  let seconds = 0;
  for (const duration of durations) {
    if (duration === null) return null;
    seconds += Math.min(duration, most) * variants;
  }
  return seconds;
}

function clipCount(durationSeconds: number | null, segmentation: Segmentation): number {
  const isCut = segmentation?.type === "multiple" && durationSeconds !== null;
  return isCut ? segmentCount(durationSeconds, segmentation.segmentSeconds) : 1;
}

/** True if each variant is another part of the video. */
function isSpread(durationSeconds: number | null, segmentation: Segmentation): boolean {
  return segmentation?.type === "single" && (durationSeconds ?? Infinity) > segmentation.segmentSeconds;
}

/** Returns a number for each text; identical texts share it. */
function numberAlike(texts: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return texts.map((text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
}

function keyOf(link: string): string {
  const parsed = parseLink(link);
  return parsed ? linkKey(parsed) : link;
}
