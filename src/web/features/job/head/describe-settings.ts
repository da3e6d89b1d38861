import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { choiceLabel } from "#contract/job-settings/setting-values.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { type Job, JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { pluralize, formatCount } from "../../../jobs/row/pluralize.ts";
import { countOwn } from "../../../jobs/row/describe-row.ts";
import { describeCaptionLook } from "../../../jobs/describe-caption-look.ts";
import { describeCaptionTiming } from "../../../jobs/describe-caption-timing.ts";
import { describeCombine, describeOtherSettings } from "../../../jobs/describe-other-settings.ts";
import { capitalize } from "../../../ui/text/capitalize.ts";

/** Placeholder: live updates omit the lists of large jobs. */
const UNKNOWN = "…";

/** Omits volumes that have no effect. `nameOf` takes the link of a chosen file. */
export function describeSettings(
  job: Job,
  nameOf: (link: string) => string = () => "Library file",
): [name: string, value: string][] {
  const facts: [string, string][] = [
    ["Videos", formatCount(job.total_videos)],
    ["Variants per video", formatCount(job.variants_per_video)],
    ...describeRows(job),
    ...describeSlots(job),
    ["Captions", describeCaptions(job)],
    ...(job.captions_enabled ? [...describeCaptionLook(job), ...describeTiming(job)] : []),
    ["Music", describeMusic(job)],
  ];
  if (job.audio_enabled && job.audio_mode === "mix") facts.push(["Video volume", job.video_gain.toFixed(1)]);
  if (job.audio_enabled) {
    facts.push(["Music volume", job.music_gain.toFixed(1) + (job.loop_audio ? ", looped" : "")]);
  }
  facts.push(...describeWatermark(job, nameOf), ["Length", describeLength(job)]);
  facts.push(["Quality", capitalize(job.quality)]);
  if (job.output_folder) facts.push(["Output folder", job.output_folder]);
  // Only lists, described above, can be absent.
  const settings = { ...JOB_DEFAULTS, ...job };
  if (settings.proof_count > 0) facts.push(["Samples first", describeSamples(job)]);
  return [...facts, ...describeOtherSettings((name) => settings[name], nameOf)];
}

function describeRows({ rows, total_videos: videos }: Job): [string, string][] {
  const own = rows?.filter(({ settings }) => countOwn(settings) > 0).length ?? 0;
  return own === 0 ? [] : [["Custom settings", `${formatCount(own)} of ${pluralize(videos, "video")}`]];
}

function describeSlots({ slots, combine, exclude }: Job): [string, string][] {
  if (slots.length === 0) return [];
  return [
    ["Slots", slots.map(({ name, clips }) => `${name} (${pluralize(clips.length, "clip")})`).join(", ")],
    ["Combinations", describeCombine(combine)],
    ...(exclude.length > 0 ? [["Excluded pairs", formatCount(exclude.length)] satisfies [string, string]] : []),
  ];
}

function describeCaptions(job: Job): string {
  if (!job.captions_enabled) return describeOff(job, "captions_enabled");
  return job.custom_captions ? formatCount(job.custom_captions.length) : UNKNOWN;
}

/** Rows may turn on what the job itself leaves off. */
function describeOff({ rows }: Job, name: "captions_enabled" | "audio_enabled" | "watermark_enabled"): string {
  const own = rows?.filter(({ settings }) => settings && withSwitches(settings)[name]).length ?? 0;
  return own === 0 ? "Off" : `On ${pluralize(own, "video")}`;
}

function describeMusic(job: Job): string {
  if (!job.audio_enabled) return describeOff(job, "audio_enabled");
  const tracks = job.custom_audio_links ? pluralize(job.custom_audio_links.length, "track") : UNKNOWN;
  return job.audio_mode === "mix" ? `${tracks}, mixed` : `${tracks}, replacing the sound`;
}

function describeWatermark(job: Job, nameOf: (link: string) => string): [string, string][] {
  if (!job.watermark_enabled) return [["Watermark", describeOff(job, "watermark_enabled")]];
  const text = job.watermark_text ? [["Watermark", job.watermark_text] satisfies [string, string]] : [];
  return [...text, ...describeImage(job, nameOf)];
}

function describeImage(job: Job, nameOf: (link: string) => string): [string, string][] {
  if (job.watermark_image === null) return [];
  const position = choiceLabel(JOB_SETTINGS.watermark_position, job.watermark_position).toLowerCase();
  const [width, opacity] = [job.watermark_scale, job.watermark_opacity].map((share) => `${Math.round(share * 100)}%`);
  return [["Watermark image", `${nameOf(job.watermark_image)}, ${position}, ${width} width, ${opacity} opacity`]];
}

function describeLength({ segmentation_type: type, segment_duration: seconds }: Job): string {
  if (type === null) return "Whole videos";
  return type === "single" ? `One clip of ${seconds} s` : `Clips of ${seconds} s`;
}

function describeTiming(job: Job): [string, string][] {
  const timing = describeCaptionTiming(job);
  return timing === null ? [] : [["Captions shown", timing]];
}

function describeSamples({ proof_count: count, proof_pick: pick, proof_rows: rows }: Job): string {
  if (pick === "rows") return `${count}, from videos ${rows ?? ""}`;
  return pick === "random" ? `${count}, from random videos` : String(count);
}
