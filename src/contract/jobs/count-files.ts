/** Counts a job's files before its videos' lengths are known. Pure. */
import { captionIndexOf, type Segmentation, trackIndexOf } from "./assignment.ts";
import { JOB_LIMITS } from "./jobs.ts";
import { linkKey, parseLink } from "../sources/links.ts";

export type FileCounts = {
  files: number;
  /** The rest are copies. */
  different: number;
  /** False with `multiple`, which depends on video lengths: both counts then assume one clip per variant. */
  isExact: boolean;
};

/**
 * Files are copies if source, clip, caption and track match, even if links are written differently. With `single`,
 * assumes that videos are longer than a clip. Above the file limit, does not look for copies.
 */
export function countFiles(job: {
  videos: readonly string[];
  variants: number;
  captions: readonly string[];
  tracks: readonly string[];
  segmentation: Segmentation;
}): FileCounts {
  const { variants, segmentation } = job;
  const files = job.videos.length * variants;
  const isExact = segmentation?.type !== "multiple";
  if (files > JOB_LIMITS.outputs) return { files, different: files, isExact };
  const sources = numberAlike(job.videos.map(keyOf));
  const captions = numberAlike(job.captions);
  const tracks = numberAlike(job.tracks.map(keyOf));
  const different = new Set<string>();
  for (let n = 0; n < files; n++) {
    const source = sources[Math.floor(n / variants)];
    const clip = segmentation?.type === "single" ? n % variants : 0;
    const caption = captions[captionIndexOf(n, captions.length) ?? -1];
    const track = tracks[trackIndexOf(n, captions.length, tracks.length) ?? -1];
    different.add(`${source} ${clip} ${caption} ${track}`);
  }
  return { files, different: different.size, isExact };
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
