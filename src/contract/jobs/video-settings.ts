import type { JobSettings, RowSettings } from "../job-settings/job-settings.ts";
import type { Segmentation, Turns } from "./outputs/assignment.ts";

/** A row's own format is its only one. */
export function settingsOfVideo<Settings extends object>(job: Settings, row: RowSettings | null): Settings {
  if (!row) return job;
  return { ...job, ...row, ...("format" in row && "formats" in job && { formats: [] }) };
}

/**
 * Adds a row's switches: its captions, music, watermark or subtitles are turned on unless the row turns them off; an
 * empty list means none. Never throws.
 */
export function withSwitches(row: RowSettings): RowSettings {
  const { custom_captions: captions, custom_audio_links: tracks } = row;
  return {
    ...(captions && { captions_enabled: captions.length > 0 }),
    ...(row.caption_set_id && { captions_enabled: true }),
    ...(tracks && { audio_enabled: tracks.length > 0 }),
    ...(row.audio_set_id && { audio_enabled: true }),
    ...((row.watermark_text || row.watermark_image) && { watermark_enabled: true }),
    ...(row.subtitles && { subtitles_enabled: true }),
    ...row,
  };
}

/**
 * Returns where a video starts in the captions and tracks. The job's rotate over all videos; a video with its own
 * starts with the first. `job` has the entire job's settings.
 */
export function turnsOf(
  job: Pick<JobSettings, "variants_per_video">,
  row: RowSettings | null,
  position: number,
): Turns {
  const before = position * job.variants_per_video;
  return { caption: row?.custom_captions ? 0 : before, track: row?.custom_audio_links ? 0 : before };
}

/** True if the video needs its clips' transcripts. */
export function hasTranscript(settings: Pick<JobSettings, "subtitles_enabled" | "cut_fillers">): boolean {
  return settings.subtitles_enabled || settings.cut_fillers;
}

/** Each variant is made in each of them. */
export function formatsOf({ format, formats }: Pick<JobSettings, "format" | "formats">): JobSettings["format"][] {
  return formats.length > 0 ? formats : [format];
}

export type Languages = Pick<JobSettings, "languages" | "subtitle_languages" | "subtitles_enabled">;

/** Without subtitles, their languages have no effect. */
function subtitleLanguagesOf({ subtitles_enabled: isOn, subtitle_languages: tags }: Languages): string[] {
  return isOn ? tags : [];
}

/** Each variant is made in each of them; null is as its captions are written and its subtitles spoken. */
export function languagesOf(settings: Languages): (string | null)[] {
  const all = new Set([...settings.languages, ...subtitleLanguagesOf(settings)]);
  return all.size > 0 ? [...all] : [null];
}

/** How many of the languages look different, if the variant has a caption or not. */
export function looksOf(settings: Languages, hasCaption: boolean): number {
  const { languages } = settings;
  const subtitles = subtitleLanguagesOf(settings);
  if (!hasCaption) return subtitles.length + (languages.some((tag) => !subtitles.includes(tag)) ? 1 : 0) || 1;
  return languagesOf(settings).length;
}

/** What distinguishes a variant's files: the languages, and in each the formats. */
type Versions = Pick<JobSettings, "format" | "formats"> & Languages;

function versionsOf(settings: Versions): number {
  return languagesOf(settings).length * formatsOf(settings).length;
}

/** Of a video that is not cut into clips. A file's number among them is its `variant`. */
export function filesOfVideo(settings: Pick<JobSettings, "variants_per_video"> & Versions): number {
  return settings.variants_per_video * versionsOf(settings);
}

/** Of the file with this `variant`. */
export function formatOfFile(
  settings: Pick<JobSettings, "format" | "formats">,
  variant: number,
): JobSettings["format"] {
  const formats = formatsOf(settings);
  return formats[variant % formats.length]!;
}

/** Of the file with this `variant`. */
export function languageOfFile(settings: Versions, variant: number): string | null {
  const languages = languagesOf(settings);
  return languages[Math.floor(variant / formatsOf(settings).length) % languages.length]!;
}

/** Of the captions of the file with this `variant`; null is as they are written. */
export function captionLanguageOf(settings: Versions, variant: number): string | null {
  const language = languageOfFile(settings, variant);
  return language !== null && settings.languages.includes(language) ? language : null;
}

/** Of the subtitles of the file with this `variant`; null is as they are spoken. */
export function subtitleLanguageOf(settings: Versions, variant: number): string | null {
  const language = languageOfFile(settings, variant);
  return language !== null && subtitleLanguagesOf(settings).includes(language) ? language : null;
}

/** Which choice of caption, track and window the file with this `variant` has; each is made in all versions. */
export function choiceOf(settings: Versions, variant: number): number {
  return Math.floor(variant / versionsOf(settings));
}

export function captionsOf(job: Pick<JobSettings, "captions_enabled" | "custom_captions">): string[] {
  return job.captions_enabled ? job.custom_captions : [];
}

export function trackLinksOf(job: Pick<JobSettings, "audio_enabled" | "custom_audio_links">): string[] {
  return job.audio_enabled ? job.custom_audio_links : [];
}

/**
 * Seconds of the clock that windows are on in one of a file: a single video's is its source's, an assembled one's that of
 * its clips as they play.
 */
export function clockSpeed({ speed, slots }: Pick<JobSettings, "speed" | "slots">): number {
  return slots.length > 0 ? 1 : speed;
}

/** Null if videos are not cut. */
export function segmentationOf(job: Pick<JobSettings, "segmentation_type" | "segment_duration">): Segmentation {
  return job.segmentation_type ? { type: job.segmentation_type, segmentSeconds: job.segment_duration } : null;
}
