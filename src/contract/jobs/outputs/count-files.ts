import type { JobSettings, RowSettings } from "../../job-settings/job-settings.ts";
import { captionIndexOf, segmentCount, type Segmentation, trackIndexOf } from "./assignment.ts";
import { JOB_LIMITS } from "../jobs.ts";
import { linkKey, parseLink } from "../../sources/links.ts";
import {
  captionsOf,
  clockSpeed,
  filesOfVideo,
  formatsOf,
  languagesOf,
  looksOf,
  segmentationOf,
  settingsOfVideo,
  trackLinksOf,
  turnsOf,
} from "../video-settings.ts";

export type FileCounts = {
  files: number;
  /** Excludes copies. */
  different: number;
  /** False with `multiple` while a length is unknown; counts then assume one clip per variant. */
  isExact: boolean;
};

export const COUNTED_SETTINGS = [
  "slots",
  "start_seconds",
  "end_seconds",
  "speed",
  "variants_per_video",
  "format",
  "formats",
  "languages",
  "subtitle_languages",
  "subtitles_enabled",
  "captions_enabled",
  "custom_captions",
  "audio_enabled",
  "custom_audio_links",
  "segmentation_type",
  "segment_duration",
] as const satisfies (keyof JobSettings)[];

export type CountedSettings = Pick<JobSettings, (typeof COUNTED_SETTINGS)[number]>;

export type CountedVideo = {
  link: string;
  durationSeconds: number | null;
  row?: RowSettings | null;
  /** Of an assembled video. */
  parts?: readonly CountedPart[];
};

/** A clip has the same key in all videos. `seconds` are as it plays. */
export type CountedPart = { key: string; seconds: number; ownCaptions: number };

/**
 * Files with the same source, clip, caption, track and other settings are copies, even if links are spelled
 * differently. With `single`, assumes that videos of unknown length exceed a clip. Skips the search for copies above
 * the file limit.
 */
export function countFiles(job: CountedSettings, videos: readonly CountedVideo[]): FileCounts {
  const planned = videos.map((video, position) => planVideo(job, video, position));
  const files = planned.reduce((sum, { variants, clips, ...video }) => {
    return sum + variants * clips * video.formats * video.languages;
  }, 0);
  const isExact = planned.every((video) => video.isExact);
  if (files > JOB_LIMITS.outputs) return { files, different: files, isExact };
  const numberOf = alikeNumbers();
  const different = new Map<string, number>();
  for (const { source, look, captions, tracks, turns, variants, clips, isSpread, ...video } of planned) {
    const versions = video.formats * video.looks;
    for (let variant = 0; variant < variants; variant++) {
      const caption = captions[captionIndexOf(turns.caption + variant, captions.length) ?? -1];
      const track = tracks[trackIndexOf(turns.track + variant, captions.length, tracks.length) ?? -1];
      const parts = [source, look, isSpread ? variant : 0, numberOf(caption), numberOf(track && keyOf(track))];
      different.set(parts.join(" "), clips * versions);
    }
  }
  return { files, different: [...different.values()].reduce((sum, count) => sum + count, 0), isExact };
}

function planVideo(job: CountedSettings, video: CountedVideo, position: number) {
  const { link, durationSeconds, row = null, parts = [] } = video;
  const settings = settingsOfVideo(job, row);
  const segmentation = segmentationOf(settings);
  const partSeconds = secondsOfPart(durationSeconds, settings, clockSpeed(settings));
  const captions = captionsOf(settings);
  const hasOwnCaptions = Boolean(row?.caption_set_id) || parts.some(({ ownCaptions }) => ownCaptions > 0);
  return {
    source: keyOf(link),
    look: lookOf(row ?? {}),
    turns: turnsOf(job, row, position),
    captions,
    tracks: trackLinksOf(settings),
    variants: settings.variants_per_video,
    formats: formatsOf(settings).length,
    languages: languagesOf(settings).length,
    looks: looksOf(settings, captions.length > 0 || hasOwnCaptions),
    ...countClips(durationSeconds, settings),
    isSpread:
      isSpread(partSeconds, segmentation) ||
      hasUnreadSet(row ?? {}) ||
      parts.some(({ ownCaptions }) => ownCaptions > 1),
  };
}

/** The set's captions or tracks are unknown, so no variant counts as a copy. */
function hasUnreadSet({ caption_set_id, custom_captions, audio_set_id, custom_audio_links }: RowSettings): boolean {
  return Boolean((caption_set_id && !custom_captions) || (audio_set_id && !custom_audio_links));
}

/** Settings counted by their effect. */
const COUNTED: ReadonlySet<string> = new Set<keyof CountedSettings>([
  "captions_enabled",
  "custom_captions",
  "audio_enabled",
  "custom_audio_links",
  "variants_per_video",
]);

function lookOf(row: RowSettings): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => !COUNTED.has(name)));
}

/** Null while a length is unknown. */
export function countOutputSeconds(job: CountedSettings, videos: readonly CountedVideo[]): number | null {
  let seconds = 0;
  for (const { durationSeconds, row = null } of videos) {
    const settings = settingsOfVideo(job, row);
    const partSeconds = secondsOfPart(durationSeconds, settings, clockSpeed(settings));
    if (partSeconds === null) return null;
    const segmentation = segmentationOf(settings);
    const most = segmentation?.type === "single" ? segmentation.segmentSeconds : Infinity;
    seconds += Math.min(partSeconds, most) * filesOfVideo(settings);
  }
  return seconds;
}

/** How long it plays at `speed`; 0 if the video ends before the part. */
export function secondsOfPart(
  durationSeconds: number | null,
  { start_seconds: start, end_seconds: end }: Pick<CountedSettings, "start_seconds" | "end_seconds">,
  speed: number,
): number | null {
  return durationSeconds === null ? null : Math.max(Math.min(end ?? Infinity, durationSeconds) - start, 0) / speed;
}

export type ClipSettings = Pick<
  JobSettings,
  "slots" | "start_seconds" | "end_seconds" | "speed" | "segmentation_type" | "segment_duration"
>;

/** Per variant: one, and not exact, while the video's unknown length matters. */
export function countClips(
  durationSeconds: number | null,
  settings: ClipSettings,
): { clips: number; isExact: boolean } {
  const segmentation = segmentationOf(settings);
  const partSeconds = secondsOfPart(durationSeconds, settings, clockSpeed(settings));
  if (segmentation?.type !== "multiple") return { clips: 1, isExact: true };
  if (partSeconds === null) return { clips: 1, isExact: false };
  return { clips: segmentCount(partSeconds, segmentation.segmentSeconds), isExact: true };
}

/** Each variant has another part of the video. */
function isSpread(partSeconds: number | null, segmentation: Segmentation): boolean {
  return segmentation?.type === "single" && (partSeconds ?? Infinity) > segmentation.segmentSeconds;
}

function alikeNumbers(): (text: string | undefined) => number {
  const numbers = new Map<string | undefined, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

function keyOf(link: string): string {
  const parsed = parseLink(link);
  return parsed ? linkKey(parsed) : link;
}
