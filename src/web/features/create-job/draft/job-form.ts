import type { UseFormReturn } from "react-hook-form";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { combineClips } from "#contract/jobs/assemblies/combine-clips.ts";
import {
  type Combination,
  type Combine,
  type Exclusion,
  type Slot,
  slotsProblem,
} from "#contract/jobs/assemblies/slots.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { rowsOfLinks } from "#contract/jobs/rows.ts";
import { SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import { parseAudioLink, parseVideoLink, splitCaptions } from "#contract/sources/links.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import type { SavedSet } from "../../../api/set-tables.ts";
import { linkChecker, type CheckedLinks } from "../links/check-links.ts";
import { rememberLast } from "./remember-last.ts";
import { explainAudioLink, explainVideoLink } from "#contract/sources/explain-media-link.ts";
import { EMPTY_GENERATOR, type GeneratorForm } from "../captions/generator-form.ts";
import { EMPTY_FIELDS, readField, readFields, readJson, readRows, type SettingFields } from "../setting-fields.ts";

/** Both are "" without a preset. The settings come from this version; in older drafts it is "". */
export type ChosenPreset = { presetId: string; presetVersion: string };

export const NO_PRESET: ChosenPreset = { presetId: "", presetVersion: "" };

export type JobForm = SettingFields & ChosenPreset & { generator: GeneratorForm };

export const EMPTY_FORM: JobForm = { ...EMPTY_FIELDS, ...NO_PRESET, generator: EMPTY_GENERATOR };

/** Reset after a job starts (to the chosen preset, if any); other fields stay. */
export const FIELDS_OF_ONE_JOB = [
  "jobName",
  "videoLinks",
  "rows",
  "slots",
  "exclude",
  "captions",
  "captionSetId",
  "audioLinks",
  "audioSetId",
  "subtitles",
  "watermarkText",
  "proofRows",
] as const;

/** A section turns off when its text is cleared. */
export const SECTIONS = [
  ["captions", "captionsEnabled"],
  ["subtitles", "subtitlesEnabled"],
  ["audioLinks", "audioEnabled"],
  ["watermarkText", "watermarkEnabled"],
] as const satisfies (keyof JobForm)[][];

export type FormValues = { form: UseFormReturn<JobForm>; values: JobForm; read: ReadForm };

export type ReadForm = {
  name: string;
  /** With slots, all their clips. */
  videos: CheckedLinks;
  slots: readonly Slot[];
  exclude: readonly Exclusion[];
  /** The clips of each video; empty without slots. */
  combinations: readonly Combination[];
  transitionSeconds: number;
  speed: number;
  /** One per valid link; empty if no video overrides the form. */
  rows: JobRow[];
  variants: number;
  /** Empty if captions are off. */
  captions: string[];
  /** Null if music is off. */
  tracks: CheckedLinks | null;
  /** Of the only video; null if subtitles are off. */
  subtitles: string | null;
  /** Subtitles are on, and can be made from speech. */
  transcribes: boolean;
  watermark: string | null;
  watermarkImage: string | null;
  layers: readonly Layer[];
  segmentSeconds: number;
};

const checkVideoLinks = linkChecker(parseVideoLink, explainVideoLink);
const checkAudioLinks = linkChecker(parseAudioLink, explainAudioLink);
/** A stable reference, for memoization. */
const NO_CAPTIONS: string[] = [];
const NO_ROWS: JobRow[] = [];
const readCaptions = rememberLast(splitCaptions);
const readSlots = rememberLast((text: string) => slotsOf(readJson(text, [])));
const readLayers = rememberLast((text: string) => layersOf(readJson(text, [])));
const readExclusions = rememberLast((text: string) => exclusionsOf(readJson(text, [])));
/** By what matters: captions and trims change with every key press. */
const combineNamed = rememberLast((text: string) => {
  const [slots, combine, exclude] = JSON.parse(text) as [Slot[], Combine, Exclusion[]];
  return combineClips(slots, combine, exclude);
});
const readCombinations = rememberLast((slots: readonly Slot[], combine: Combine, exclude: readonly Exclusion[]) => {
  if (slotsProblem(slots, exclude) !== null) return NO_COMBINATIONS;
  const named = slots.map(({ name, clips }) => ({ name, clips: clips.map(({ link }) => ({ link })) }));
  return combineNamed(JSON.stringify([named, combine, exclude]));
});
const NO_COMBINATIONS: Combination[] = [];
const readFormRows = rememberLast((links: readonly string[], rows: string) => rowsOfLinks(links, readRows(rows)));

/** `captionSet`: the unchanged set in the captions field, whose captions are used as saved. */
export function readForm(form: JobForm, captionSet: SavedSet | null = null, accepted = SPECIFIED_SOURCES): ReadForm {
  const slots = readSlots(form.slots);
  const exclude = readExclusions(form.exclude);
  const videos = checkVideoLinks(slots.length > 0 ? clipLines(slots) : form.videoLinks, accepted);
  return {
    name: form.jobName.trim(),
    videos,
    slots,
    exclude,
    combinations: readCombinations(slots, readField("combine", form), exclude),
    transitionSeconds: readField("transition_seconds", form),
    speed: readField("speed", form),
    rows: slots.length > 0 ? NO_ROWS : readFormRows(videos.valid, form.rows),
    variants: readField("variants_per_video", form),
    captions: form.captionsEnabled ? (captionSet?.items ?? readCaptions(form.captions)) : NO_CAPTIONS,
    tracks: form.audioEnabled ? checkAudioLinks(form.audioLinks, accepted) : null,
    subtitles:
      form.subtitlesEnabled && videos.valid.length <= 1 && slots.length === 0 ? readField("subtitles", form) : null,
    transcribes: form.subtitlesEnabled && accepted.canTranscribe === true,
    watermark: form.watermarkEnabled ? form.watermarkText.trim() || null : null,
    watermarkImage: form.watermarkEnabled ? readField("watermark_image", form) : null,
    layers: readLayers(form.layers),
    segmentSeconds: form.segmentation === "off" ? JOB_DEFAULTS.segment_duration : readField("segment_duration", form),
  };
}

/** Contains valid links only; if none is valid, all links, so that validation rejects them. */
export function toCreateRequest(
  form: JobForm,
  captionSet: SavedSet | null = null,
  accepted = SPECIFIED_SOURCES,
): CreateJobRequest {
  const read = readForm(form, captionSet, accepted);
  return {
    ...readFields(form, SETTING_NAMES),
    input_videos: usable(read.videos),
    rows: read.rows,
    custom_captions: read.captions,
    custom_audio_links: read.tracks ? usable(read.tracks) : [],
    subtitles: read.subtitles,
    watermark_enabled: (read.watermark ?? read.watermarkImage) !== null,
    watermark_text: read.watermark,
    watermark_image: read.watermarkImage,
    segment_duration: read.segmentSeconds,
    ...(!form.captionsEnabled && { caption_set_id: null }),
    ...(!form.audioEnabled && { audio_set_id: null }),
  };
}

function usable(links: CheckedLinks): string[] {
  return links.valid.length > 0 ? links.valid : links.typed;
}

/** Drafts may hold anything. */
function slotsOf(value: unknown): Slot[] {
  return Array.isArray(value) ? (value as Slot[]).filter(isSlot) : [];
}

function isSlot(slot: Partial<Slot> | null): boolean {
  return typeof slot?.name === "string" && Array.isArray(slot.clips);
}

function layersOf(value: unknown): Layer[] {
  return Array.isArray(value) ? (value as Layer[]).filter(isLayer) : [];
}

function isLayer(layer: Partial<Record<"kind" | "text" | "image", unknown>> | null): boolean {
  return layer?.kind === "text" ? typeof layer.text === "string" : typeof layer?.image === "string";
}

function exclusionsOf(value: unknown): Exclusion[] {
  return Array.isArray(value) ? (value as Exclusion[]).filter(isExclusion) : [];
}

function isExclusion(pair: unknown): boolean {
  return Array.isArray(pair) && pair.length === 2 && pair.every((clip) => typeof clip === "string");
}

function clipLines(slots: readonly Slot[]): string {
  return [...new Set(slots.flatMap(({ clips }) => clips.map(({ link }) => link)))].join("\n");
}
