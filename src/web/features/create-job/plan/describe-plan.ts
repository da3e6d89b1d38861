import type { Segmentation } from "#contract/jobs/outputs/assignment.ts";
import type { FileCounts } from "#contract/jobs/outputs/count-files.ts";
import { WORK_SETTINGS, type Work, type WorkSettings } from "#contract/jobs/outputs/count-work.ts";
import { forecastSeconds, type MeasuredWork } from "#contract/jobs/outputs/measured-work.ts";
import { choiceLabel, settingOf } from "#contract/job-settings/setting-values.ts";
import { canonicalTags, splitTags } from "#contract/jobs/outputs/languages.ts";
import { formatsOf, languagesOf, segmentationOf } from "#contract/jobs/video-settings.ts";
import { NO_CLIPS_LEFT, slotsProblem } from "#contract/jobs/assemblies/slots.ts";
import type { JobProblem } from "#contract/jobs/job-rules.ts";
import { JOB_DEFAULTS, JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { describeCaptionTiming } from "../../../jobs/describe-caption-timing.ts";
import { describeOtherSettings } from "../../../jobs/describe-other-settings.ts";
import { describeSeconds } from "../../../jobs/time/time-words.ts";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { countJob } from "./count-job.ts";
import { plannedVideos } from "./planned-videos.ts";
import { CAPTION_TIMING, readField, readFields } from "../setting-fields.ts";

export type Plan = {
  videos: number;
  /** Null if it differs between videos. */
  variants: number | null;
  /** Each variant is made in so many. */
  languages: number;
  formats: number;
  captionPlaces: number;
  files: number;
  /** False if it depends on unknown video lengths. */
  isExact: boolean;
  /** Null while a video's length is unknown. */
  outputSeconds: number | null;
  facts: { name: string; value: string }[];
  summary: string;
  warning: string | null;
};

export const NAME_TOO_LONG = `Job names can have at most ${JOB_LIMITS.nameCharacters} characters`;

const NO_TRACKS: string[] = [];

/**
 * Ignores invalid links. With `multiple` segmentation, each variant of a video of unknown length counts as one file.
 * `work` is null without a measurement.
 */
export function describePlan(
  form: JobForm,
  read: ReadForm,
  durations: readonly (number | null)[] = [],
  work: MeasuredWork | null = null,
): Plan {
  const settings = countedSettings(form, read);
  const segmentation = segmentationOf(settings);
  const planned = plannedVideos(read, durations);
  const videos = planned.links.length;
  const counts = countJob(settings, planned);
  const { outputSeconds } = counts;
  const { files, isExact } = counts.files;
  const hasRows = read.rows.length > 0;
  const captions = read.captions.length;
  const tracks = read.tracks?.valid.length ?? 0;
  return {
    videos,
    variants: counts.variants,
    languages: languagesOf(settings).length,
    formats: formatsOf(settings).length,
    captionPlaces: counts.captionPlaces,
    files,
    isExact,
    outputSeconds,
    facts: [
      {
        name: "Captions",
        value: withOwn(
          describeCaptions(form.captionsEnabled, captions, hasRows ? 0 : files, isExact ? "file" : "variant"),
          { own: counts.ownCaptions, videos },
        ),
      },
      ...describeTiming(form, captions),
      ...describeSubtitles(form),
      {
        name: "Music",
        value: withOwn(describeMusic(form, tracks), { own: counts.ownTracks, videos }),
      },
      ...describeOwn(counts.own, videos),
      ...describeWatermark(read),
      { name: "Length", value: describeLength(segmentation) },
      ...describeWork(outputSeconds, counts.work, {
        measured: work,
        isUncut: settings.cut_silences_ms === 0 && !settings.cut_fillers,
      }),
    ],
    summary: describeAdvanced(form, segmentation),
    warning: describeTooMany(counts.files) ?? describeCopies(counts.files),
  };
}

/**
 * Returns a reason, or null if the job can start. `uploads`: number of unfinished ones that the job uses. `problem`: why
 * the server would reject the captions.
 */
export function describeMissing(
  { name, videos, slots, exclude, combinations }: ReadForm,
  { uploads, problem }: { uploads: number; problem: JobProblem | null },
): string | null {
  const hasVideos = videos.valid.length > 0;
  if (name === "") {
    return hasVideos
      ? "Enter a job name to start."
      : "Enter a job name and add at least one valid video link to start.";
  }
  if (name.length > JOB_LIMITS.nameCharacters) return `${NAME_TOO_LONG}.`;
  if (uploads > 0) return `${pluralize(uploads, "upload is", "uploads are")} not finished.`;
  if (!hasVideos) return "Add at least one valid video link to start.";
  const slotProblem = slotsProblem(slots, exclude);
  if (slotProblem !== null) return `${slotProblem}.`;
  if (slots.length > 0 && combinations.length === 0) return NO_CLIPS_LEFT;
  return problem && `${problem.description}.`;
}

/** Start shows SPEC's toasts for these, so they do not disable it. */
export function describeEmptySections(
  form: JobForm,
  { captions, tracks, subtitles, slots, transcribes }: ReadForm,
): string | null {
  // A video's own captions replace the form's.
  if (form.rows !== "") return null;
  const needsCaptions = form.captionsEnabled && captions.length === 0 && form.captionSetId === "";
  const needsTracks = tracks !== null && tracks.typed.length === 0 && form.audioSetId === "";
  if (needsCaptions && needsTracks) return "Captions and audio links are missing. Add them or turn the sections off.";
  if (needsCaptions) return "Captions are missing. Add some or turn captions off.";
  if (needsTracks) return "Audio links are missing. Add some or turn background music off.";
  return form.subtitlesEnabled && !transcribes && subtitles === null && slots.length === 0
    ? "A subtitle file is missing. Add one or turn subtitles off."
    : null;
}

/** Returns "3 × 4 = 12 files" or "… = about 12 files"; "3 videos, 12 files" if variants differ. */
export function describeSum({ videos, variants, languages, formats, files, isExact }: Plan): string {
  if (variants === null) return `${pluralize(videos, "video")}, ${isExact ? "" : "about "}${pluralize(files, "file")}`;
  const factors = [videos, variants, ...[languages, formats].filter((count) => count > 1)];
  return `${factors.join(" × ")} = ${isExact ? "" : "about "}${pluralize(files, "file")}`;
}

function describeSubtitles(form: JobForm): Plan["facts"] {
  if (!form.subtitlesEnabled) return [];
  const style = choiceLabel(settingOf("subtitle_style"), form.subtitleStyle);
  const { length } = canonicalTags(splitTags(form.subtitleLanguages));
  return [{ name: "Subtitles", value: length === 0 ? style : `${style}, ${pluralize(length, "language")}` }];
}

function describeAdvanced(form: JobForm, segmentation: Segmentation): string {
  const { quality, downloadEnabled } = form;
  const others = describeOtherSettings((name) =>
    // These have a section of their own.
    name.startsWith("subtitle") ? JOB_DEFAULTS[name] : readField(name, form),
  ).map(([label, value]) => `${label}: ${value}`);
  const parts = [describeLength(segmentation)];
  if (quality !== JOB_DEFAULTS.quality) parts.push(quality === "draft" ? "Draft quality" : "High quality");
  return [...parts, ...others, `Zip download ${downloadEnabled ? "on" : "off"}`].join(" · ");
}

/** Returns, for example, "3 times" or "2 or 3 times"; null if some items are not used. */
export function describeUse(count: number, uses: number, noun: string): string | null {
  const minUses = Math.floor(uses / count);
  if (minUses === 0) return null;
  return uses % count === 0 ? pluralize(minUses, noun) : `${minUses} or ${pluralize(minUses + 1, noun)}`;
}

/** `value` describes the job's captions or tracks, which the other videos have. */
function withOwn(value: string, { own, videos }: { own: number; videos: number }): string {
  if (own === 0) return value;
  const ownVideos = pluralize(own, "video");
  return own === videos || value === "Off" ? `On ${ownVideos}` : `${value}; custom on ${ownVideos}`;
}

function describeOwn(own: number, videos: number): Plan["facts"] {
  return own === 0 ? [] : [{ name: "Custom settings", value: `${formatCount(own)} of ${pluralize(videos, "video")}` }];
}

function describeWork(
  outputSeconds: number | null,
  work: Work | null,
  { measured, isUncut }: { measured: MeasuredWork | null; isUncut: boolean },
): Plan["facts"] {
  if (!outputSeconds) return [];
  const length = formatClipLength(outputSeconds);
  const output = { name: "Total length", value: isUncut ? length : `${length} before cuts in speech` };
  if (!work || !measured) return [output];
  return [
    output,
    { name: "Time", value: describeSeconds(forecastSeconds(work, measured)) },
    { name: "Disk space", value: `About ${formatFileSize(outputSeconds * measured.bytesPerSecond)}` },
  ];
}

function describeTooMany({ files }: FileCounts): string | null {
  return files > JOB_LIMITS.outputs
    ? `A job can have at most ${formatCount(JOB_LIMITS.outputs)} files. Use fewer variants or longer segments.`
    : null;
}

/** Returns, for example, "8 unique files, 24 copies", and how to vary them; null if all are unique. */
function describeCopies({ files, different, isExact }: FileCounts): string | null {
  if (files === different) return null;
  const counts = `${pluralize(different, "unique file")}, ${pluralize(files - different, "copy", "copies")}`;
  return `${isExact ? "" : "About "}${counts}. Add captions or tracks to vary them.`;
}

function countedSettings(form: JobForm, read: ReadForm): WorkSettings {
  return {
    ...readFields(form, [
      "start_seconds",
      "end_seconds",
      "speed",
      "captions_enabled",
      "audio_enabled",
      "segmentation_type",
      "format",
      "formats",
      "languages",
      "subtitle_languages",
      "subtitles_enabled",
      ...WORK_SETTINGS,
    ]),
    variants_per_video: read.variants,
    custom_captions: read.captions,
    custom_audio_links: read.tracks?.valid ?? NO_TRACKS,
    segment_duration: read.segmentSeconds,
    // Only whether there are any counts.
    slots: read.slots.map(({ name }) => ({ name, clips: [] })),
  };
}

function describeCaptions(isOn: boolean, captions: number, uses: number, noun: string): string {
  if (!isOn) return "Off";
  if (captions === 0) return "None yet";
  if (captions === 1 || uses === 0) return pluralize(captions, "caption");
  const use = describeUse(captions, uses, noun);
  return use ? `${captions}, each on ${use}` : `${captions}, the first ${uses} used`;
}

function describeTiming(form: JobForm, captions: number): { name: string; value: string }[] {
  const timing = captions > 0 ? describeCaptionTiming(readFields(form, CAPTION_TIMING)) : null;
  return timing === null ? [] : [{ name: "Captions shown", value: timing }];
}

function describeMusic(form: JobForm, tracks: number): string {
  if (!form.audioEnabled) return "Off";
  if (tracks === 0) return "None yet";
  const mode = form.audioMode === "mix" ? "mixed" : "replacing sound";
  return `${pluralize(tracks, "track")}, ${mode}${form.loopAudio ? ", looped" : ""}`;
}

function describeWatermark({ watermark, watermarkImage }: ReadForm): { name: string; value: string }[] {
  if (watermarkImage === null) return watermark === null ? [] : [{ name: "Watermark", value: watermark }];
  return [{ name: "Watermark", value: watermark === null ? "Image" : `${watermark}, image` }];
}

function describeLength(segmentation: Segmentation): string {
  if (!segmentation) return "Whole videos";
  const { type, segmentSeconds } = segmentation;
  return type === "single" ? `One clip of ${segmentSeconds} s each` : `Clips of ${segmentSeconds} s`;
}
