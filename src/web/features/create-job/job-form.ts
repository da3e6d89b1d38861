/** The form of the job screen: what it holds, what it starts from, and the request it becomes. */
import type { CreateJobRequest } from "#contract/create-job.ts";
import {
  JOB_DEFAULTS,
  type AudioMode,
  type CaptionPosition,
  type CaptionSize,
  type CaptionStyle,
  type Quality,
  type SegmentationType,
} from "#contract/jobs.ts";
import { parseAudioLink, parseVideoLink, splitCaptions } from "#contract/links.ts";
import type { SavedSet } from "../../api/set-tables.ts";
import { checkLinks, type CheckedLinks } from "./check-links.ts";
import { explainAudioLink, explainVideoLink } from "./explain-link.ts";
import { EMPTY_GENERATOR, type GeneratorForm } from "./generator-form.ts";
import { wholeNumberOr } from "./whole-number.ts";

/** Numbers that are typed are text until they are read. The id of a set is "" while none is chosen. */
export type JobForm = {
  jobName: string;
  videoLinks: string;
  variants: string;
  captionsEnabled: boolean;
  captions: string;
  captionSetId: string;
  captionStyle: CaptionStyle;
  captionPosition: CaptionPosition;
  captionSize: CaptionSize;
  audioEnabled: boolean;
  audioLinks: string;
  audioSetId: string;
  audioMode: AudioMode;
  videoGain: number;
  musicGain: number;
  loopAudio: boolean;
  watermarkEnabled: boolean;
  watermarkText: string;
  segmentation: "off" | SegmentationType;
  segmentSeconds: string;
  quality: Quality;
  downloadEnabled: boolean;
  outputFolder: string;
  generator: GeneratorForm;
};

export const EMPTY_FORM: JobForm = {
  jobName: "",
  videoLinks: "",
  variants: String(JOB_DEFAULTS.variants),
  captionsEnabled: false,
  captions: "",
  captionSetId: "",
  captionStyle: JOB_DEFAULTS.captionStyle,
  captionPosition: JOB_DEFAULTS.captionPosition,
  captionSize: JOB_DEFAULTS.captionSize,
  audioEnabled: false,
  audioLinks: "",
  audioSetId: "",
  audioMode: JOB_DEFAULTS.audioMode,
  videoGain: JOB_DEFAULTS.videoGain,
  musicGain: JOB_DEFAULTS.musicGain,
  loopAudio: JOB_DEFAULTS.loopAudio,
  watermarkEnabled: false,
  watermarkText: "",
  segmentation: "off",
  segmentSeconds: String(JOB_DEFAULTS.segmentSeconds),
  quality: JOB_DEFAULTS.quality,
  downloadEnabled: JOB_DEFAULTS.downloadEnabled,
  outputFolder: "",
  generator: EMPTY_GENERATOR,
};

/** What a started job takes with it; everything else stays for the next one. */
export const FIELDS_OF_ONE_JOB = [
  "jobName",
  "videoLinks",
  "captions",
  "captionSetId",
  "audioLinks",
  "audioSetId",
  "watermarkText",
] as const;

/** What a form comes to: its texts read and counted. */
export type ReadForm = {
  name: string;
  videos: CheckedLinks;
  variants: number;
  /** Empty when captions are off. */
  captions: string[];
  /** Null when music is off. */
  tracks: CheckedLinks | null;
  watermark: string | null;
  segmentSeconds: number;
};

const checkVideoLinks = rememberLast((text) => checkLinks(text, parseVideoLink, explainVideoLink));
const checkAudioLinks = rememberLast((text) => checkLinks(text, parseAudioLink, explainAudioLink));
const readCaptions = rememberLast(splitCaptions);

/** `captionSet` is the set that the captions field holds, unchanged: its captions are taken as they are saved. */
export function readForm(form: JobForm, captionSet: SavedSet | null = null): ReadForm {
  return {
    name: form.jobName.trim(),
    videos: checkVideoLinks(form.videoLinks),
    variants: readVariants(form.variants),
    captions: form.captionsEnabled ? (captionSet?.items ?? readCaptions(form.captions)) : [],
    tracks: form.audioEnabled ? checkAudioLinks(form.audioLinks) : null,
    watermark: form.watermarkEnabled ? form.watermarkText.trim() || null : null,
    segmentSeconds: form.segmentation === "off" ? JOB_DEFAULTS.segmentSeconds : readSegmentSeconds(form.segmentSeconds),
  };
}

export function readVariants(text: string): number {
  return wholeNumberOr(text, JOB_DEFAULTS.variants);
}

export function readSegmentSeconds(text: string): number {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 1 ? seconds : JOB_DEFAULTS.segmentSecondsAfterBlur;
}

/** The request a form asks for. Only valid links are in it; where none is valid, what was typed, to be refused by the rules. */
export function toCreateRequest(form: JobForm, captionSet: SavedSet | null = null): CreateJobRequest {
  const read = readForm(form, captionSet);
  return {
    job_name: read.name,
    input_videos: usable(read.videos),
    captions_enabled: form.captionsEnabled,
    caption_set_id: form.captionsEnabled ? form.captionSetId || null : null,
    custom_captions: read.captions,
    caption_style: form.captionStyle,
    caption_position: form.captionPosition,
    caption_size: form.captionSize,
    audio_enabled: form.audioEnabled,
    audio_set_id: form.audioEnabled ? form.audioSetId || null : null,
    custom_audio_links: read.tracks ? usable(read.tracks) : [],
    audio_mode: form.audioMode,
    watermark_enabled: read.watermark !== null,
    watermark_text: read.watermark,
    variants_per_video: read.variants,
    video_gain: form.videoGain,
    music_gain: form.musicGain,
    loop_audio: form.loopAudio,
    segment_duration: read.segmentSeconds,
    segmentation_type: form.segmentation === "off" ? null : form.segmentation,
    quality: form.quality,
    download_enabled: form.downloadEnabled,
    output_folder: form.outputFolder.trim() || null,
  };
}

function usable(links: CheckedLinks): string[] {
  return links.valid.length > 0 ? links.valid : links.typed;
}

/**
 * The same function, which gives its last result again while its argument stays the same. A form is read whole at every
 * stroke; 10,000 captions or 500 links need not be read again because the job's name has changed.
 */
function rememberLast<Argument extends string, Result>(
  work: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { argument: Argument; result: Result } | null = null;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: work(argument) };
    return last.result;
  };
}
