/** SPEC section 5, "Starting a job", in its order and wording. No zod, to keep it out of the form's bundle. */
import type { SettingName } from "../job-settings/job-settings.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { linksProblem } from "../links/links-problem.ts";
import { parseAudioLink, parseLink, parseSubtitlesLink, parseVideoLink } from "../sources/links.ts";
import { linksIn } from "../sources/links-in-text.ts";
import { combineClips } from "./assemblies/combine-clips.ts";
import {
  clipName,
  type Combine,
  type Exclusion,
  NO_CLIPS_LEFT,
  partField,
  type Slot,
  slotsProblem,
} from "./assemblies/slots.ts";
import { type JobProblem, sizeProblem } from "./size-problem.ts";
import { JOB_LIMITS } from "./jobs.ts";
import { isShorter, leastPartSeconds } from "./part-length.ts";
import { canonicalTag, LANGUAGE_RULE } from "./outputs/languages.ts";
import { layersProblem } from "./outputs/layer-rules.ts";
import type { Layer } from "./outputs/layers.ts";
import { patternProblem } from "./outputs/output-name.ts";
import { withReadLinks } from "./read-links.ts";
import { parseSampleRows } from "./rows.ts";
import { withSwitches } from "./video-settings.ts";
import { LABELS_RULE, parseWorkerLabels } from "./worker-labels.ts";

export type { JobProblem } from "./size-problem.ts";

type Fields = Record<string, unknown>;

/** Returns the first broken rule (SPEC's, then limits) or null. Accepts any value; never throws. */
export function firstProblem(body: unknown, accepted: AcceptedSources): JobProblem | null {
  const job = asRecord(withReadLinks(body));
  const name = typeof job.job_name === "string" ? job.job_name.trim() : "";
  const videos = texts(job.input_videos);

  if (name === "") return { title: "Job Name Required", description: "Please enter a name for your job" };
  if (videos.length === 0) return { title: "Videos Required", description: "Please add at least one video link" };
  if (!videos.some((link) => parseVideoLink(link, accepted))) {
    return { title: "Invalid Links", description: "No valid Google Drive video links found" };
  }
  const assembled = countAssembled(job);
  if (typeof assembled === "object") return assembled;
  return (
    rowLinkProblem(job) ??
    firstOfVideos(job, (settings) => firstBroken(CONTENT_RULES, settings, accepted)) ??
    slotLinkProblem(job, accepted) ??
    firstLimit(job, name, videos, assembled) ??
    nameProblem(job) ??
    layerProblem(job) ??
    languagesProblem(job) ??
    subtitlesProblem(job, assembled || videos.length, accepted) ??
    linksProblem(job, passedBy(job)) ??
    firstOfVideos(job, (settings) => firstBroken(VALUE_RULES, settings, accepted)) ??
    proofProblem(job, assembled || videos.length) ??
    labelsProblem(job)
  );
}

/** Returns how many videos the slots make; 0 without slots. The form of the slots is checked later. */
function countAssembled(job: Fields): number | JobProblem {
  const slots = Array.isArray(job.slots) ? (job.slots as unknown[]) : [];
  const exclude = Array.isArray(job.exclude) ? (job.exclude as unknown[]) : [];
  if (!slots.every(isSlot) || !exclude.every(isExclusion)) return 0;
  // The schema rejects these.
  const hasTooMany = slots.length > JOB_LIMITS.slots || exclude.length > JOB_LIMITS.exclusions;
  if (hasTooMany || slots.some(({ clips }) => clips.length > JOB_LIMITS.clipsOfSlot)) return 0;
  const title = "Invalid Slots";
  const description = slotsProblem(slots, exclude);
  if (description !== null) return { title, description };
  if (slots.length === 0) return 0;
  if (rowsOf(job).length > 0) return { title, description: "A job has either rows or slots" };
  const combine = isCombine(job.combine) ? job.combine : "all";
  return combineClips(slots, combine, exclude).length || { title, description: NO_CLIPS_LEFT };
}

function isSlot(value: unknown): value is Slot {
  const { name, clips, captions = [] } = asRecord(value);
  const isClip = (clip: unknown) => typeof asRecord(clip).link === "string";
  return typeof name === "string" && Array.isArray(clips) && clips.every(isClip) && Array.isArray(captions);
}

function isExclusion(value: unknown): value is Exclusion {
  return Array.isArray(value) && value.length === 2 && value.every((clip) => typeof clip === "string");
}

function isCombine(value: unknown): value is Combine {
  return value === "all" || value === "each" || (typeof value === "number" && value >= 1);
}

/** Every clip is needed. */
function slotLinkProblem({ slots }: Fields, accepted: AcceptedSources): JobProblem | null {
  for (const slot of Array.isArray(slots) ? slots.filter(isSlot) : []) {
    const place = slot.clips.findIndex(({ link }) => !parseVideoLink(link, accepted));
    if (place >= 0)
      return { title: "Invalid Links", description: `${clipName(slot, place)} must be a link to a video` };
    const unread = slot.clips.findIndex(({ subtitles }) => subtitles && !parseSubtitlesLink(subtitles, accepted));
    if (unread >= 0)
      return {
        title: "Invalid Subtitles",
        description: `${clipName(slot, unread)}: The subtitles must be a link to a file`,
      };
  }
  return null;
}

/** A row is one video. */
function rowLinkProblem(job: Fields): JobProblem | null {
  const place = rowsOf(job).findIndex(({ link }) => typeof link === "string" && linksIn(link).length > 1);
  if (place === -1) return null;
  return { title: "Invalid Links", description: `Row ${place + 1}: Use one row for each link` };
}

/** Checks the settings of each video. Problems of a row name it. */
function firstOfVideos(job: Fields, check: (settings: Fields) => JobProblem | null): JobProblem | null {
  const rows = rowsOf(job);
  const hasPlainVideos = rows.length === 0 || rows.some(({ settings }) => !settings);
  const problem = hasPlainVideos ? check(job) : null;
  if (problem) return problem;
  for (const [index, { settings }] of rows.entries()) {
    const found = settings ? check({ ...job, ...withSwitches(settings) }) : null;
    if (found) return { ...found, description: `Row ${index + 1}: ${found.description}` };
  }
  return null;
}

type VideoRule = {
  /** Inputs of the rule, most frequent causes first. */
  settings: readonly SettingName[];
  check: (settings: Fields, accepted: AcceptedSources) => JobProblem | null;
};

const CONTENT_RULES: readonly VideoRule[] = [
  {
    settings: ["captions_enabled"],
    check: (job) =>
      job.captions_enabled === true && !hasText(job.custom_captions) && !job.caption_set_id
        ? { title: "Captions Required", description: "Captions are enabled but no captions provided" }
        : null,
  },
  {
    settings: ["audio_enabled"],
    check: (job) =>
      job.audio_enabled === true && !hasText(job.custom_audio_links) && !job.audio_set_id
        ? { title: "Audio Required", description: "Audio is enabled but no audio links provided" }
        : null,
  },
  {
    settings: ["custom_audio_links", "audio_enabled"],
    check({ audio_enabled: isEnabled, custom_audio_links: links }, accepted) {
      return isEnabled === true && hasText(links) && !hasText(links, (link) => parseAudioLink(link, accepted) !== null)
        ? { title: "Invalid Audio Links", description: "No valid Google Drive or Instagram audio links found" }
        : null;
    },
  },
];

const VALUE_RULES: readonly VideoRule[] = [
  { settings: ["end_seconds", "start_seconds", "speed"], check: partProblem },
  {
    settings: ["caption_end_seconds", "caption_start_seconds", "captions_enabled", "custom_captions", "caption_set_id"],
    check: timingProblem,
  },
  { settings: ["watermark_image", "watermark_enabled"], check: watermarkProblem },
  { settings: ["subtitles", "subtitles_enabled", "cut_fillers"], check: subtitleLinkProblem },
  {
    settings: ["subtitle_position", "caption_position", "subtitles_enabled", "captions_enabled", "caption_y"],
    check: subtitlePositionProblem,
  },
  { settings: ["intro_link"], check: ({ intro_link }, accepted) => clipProblem("Intro", intro_link, accepted) },
  { settings: ["outro_link"], check: ({ outro_link }, accepted) => clipProblem("End Card", outro_link, accepted) },
];

export const VIDEO_RULES: readonly VideoRule[] = [...CONTENT_RULES, ...VALUE_RULES];

function firstBroken(rules: readonly VideoRule[], settings: Fields, accepted: AcceptedSources): JobProblem | null {
  for (const { check } of rules) {
    const problem = check(settings, accepted);
    if (problem) return problem;
  }
  return null;
}

function firstLimit(job: Fields, name: string, links: string[], assembled: number): JobProblem | null {
  const rows = rowsOf(job);
  const captions = texts(job.custom_captions);
  const tracks = texts(job.custom_audio_links);
  const variants = variantsOf(job);
  const videos = assembled || links.length;
  const filesIn = (settings: Fields | null) =>
    variantsOf({ ...job, ...settings }) *
    (settings && "format" in settings ? 1 : distinctIn(job.formats)) *
    distinctIn(tagsOf({ ...job, ...withSwitches(settings ?? {}) }));
  const files =
    rows.length === 0 ? videos * filesIn(null) : rows.reduce((sum, { settings }) => sum + filesIn(settings), 0);
  const tooLong = captions.findIndex((caption) => caption.length > JOB_LIMITS.captionCharacters);
  if (name.length > JOB_LIMITS.nameCharacters) {
    return { title: "Job Name Too Long", description: "Job names can have at most 200 characters" };
  }
  if (videos > JOB_LIMITS.videos) {
    const remedy = assembled > 0 ? ". Choose how many combinations to make" : "";
    return { title: "Too Many Videos", description: `A job can have at most 10,000 videos${remedy}` };
  }
  if (variants > JOB_LIMITS.variants) {
    return { title: "Too Many Variants", description: "A job can have at most 100 variants per video" };
  }
  if (files > JOB_LIMITS.outputs) {
    return { title: "Too Many Files", description: "A job can have at most 10,000 files" };
  }
  if (captions.length > JOB_LIMITS.captions) {
    return { title: "Too Many Captions", description: "A job can have at most 10,000 captions" };
  }
  if (tooLong >= 0) {
    return { title: "Caption Too Long", description: `Caption ${tooLong + 1} is longer than 2,000 characters` };
  }
  if (tracks.length > JOB_LIMITS.tracks) {
    return { title: "Too Many Tracks", description: "A job can have at most 1,000 audio links" };
  }
  return sizeProblem({ input_videos: links, rows, custom_captions: captions, custom_audio_links: tracks });
}

function variantsOf({ variants_per_video: variants }: Fields): number {
  return typeof variants === "number" && variants >= 1 ? variants : 1;
}

function tagsOf({ languages, subtitle_languages, subtitles_enabled }: Fields): string[] {
  return [...texts(languages), ...(subtitles_enabled === true ? texts(subtitle_languages) : [])];
}

function distinctIn(list: unknown): number {
  return Array.isArray(list) ? Math.max(1, new Set(list).size) : 1;
}

/** At least 0.1 s. */
export function isShownLongEnough(startSeconds: number, endSeconds: number): boolean {
  // Rounded: 0.3 - 0.2 is slightly below 0.1.
  return Math.round((endSeconds - startSeconds) * 1_000) >= JOB_LIMITS.captionSeconds * 1_000;
}

function timingProblem({ captions_enabled, caption_start_seconds, caption_end_seconds }: Fields) {
  if (captions_enabled !== true || typeof caption_end_seconds !== "number") return null;
  const startSeconds = typeof caption_start_seconds === "number" ? caption_start_seconds : 0;
  if (isShownLongEnough(startSeconds, caption_end_seconds)) return null;
  return { title: "Invalid Caption Times", description: "Captions must be shown for at least 0.1 seconds" };
}

function partProblem({ start_seconds, end_seconds, speed, slots }: Fields): JobProblem | null {
  const startSeconds = typeof start_seconds === "number" ? start_seconds : 0;
  // Those of assembled videos count as their clips play.
  const isAssembled = Array.isArray(slots) && slots.length > 0;
  const least = leastPartSeconds(typeof speed === "number" && !isAssembled ? speed : 1);
  return typeof end_seconds === "number" && isShorter(end_seconds - startSeconds, least)
    ? { title: "Invalid Part", description: `The part to use must end at least ${least} seconds after its start` }
    : null;
}

function nameProblem(job: Fields): JobProblem | null {
  const { name_pattern: pattern } = job;
  if (typeof pattern !== "string") return null;
  const rows = passedBy(job);
  const description = patternProblem(pattern, (column) => rows.some((row) => Object.hasOwn(row, column)));
  return description === null ? null : { title: "Invalid Name Pattern", description };
}

function layerProblem(job: Fields): JobProblem | null {
  const layers = Array.isArray(job.layers) ? (job.layers as unknown[]) : [];
  // The schema rejects these.
  if (layers.length > JOB_LIMITS.layers || !layers.every(isLayer)) return null;
  const description = layersProblem(layers, passedBy(job));
  return description === null ? null : { title: "Invalid Layers", description };
}

/** Captions on some videos are enough: rows of a table may have none. */
function languagesProblem(job: Fields): JobProblem | null {
  const all = [job, ...rowsOf(job).map(({ settings }): Fields => withSwitches(settings ?? {}))];
  const tags = all.flatMap(({ languages, subtitle_languages }) => [...texts(languages), ...texts(subtitle_languages)]);
  if (tags.some((tag) => canonicalTag(tag) === null)) return { title: "Invalid Languages", description: LANGUAGE_RULE };
  if (all.every(({ languages }) => texts(languages).length === 0)) return null;
  const slots = Array.isArray(job.slots) ? job.slots.filter(isSlot) : [];
  const isCaptioned = all.some((settings) => settings.captions_enabled === true);
  if (isCaptioned || slots.some(({ captions = [] }) => captions.length > 0)) return null;
  const description = "Languages apply only to captions, which are off. Turn on captions, or remove the languages";
  return { title: "Captions Required", description };
}

function isLayer(value: unknown): value is Layer {
  const { kind, text, image, start_seconds: start = 0, end_seconds: end = null } = asRecord(value);
  const isShown = kind === "text" ? typeof text === "string" : kind === "image" && typeof image === "string";
  return isShown && typeof start === "number" && (end === null || typeof end === "number");
}

function watermarkProblem({ watermark_enabled, watermark_image: link }: Fields): JobProblem | null {
  if (watermark_enabled !== true || typeof link !== "string" || link.trim() === "") return null;
  if (parseLink(link)?.host === "library") return null;
  return { title: "Invalid Watermark Image", description: "The watermark image must be an image from the library" };
}

/** A row without a file has a warning instead: the rest of a table should not wait for it. */
function subtitlesProblem(job: Fields, videos: number, accepted: AcceptedSources): JobProblem | null {
  const hasFile = ({ subtitles }: Fields) => typeof subtitles === "string" && subtitles.trim() !== "";
  const slots = Array.isArray(job.slots) ? job.slots.filter(isSlot) : [];
  const own = [...rowsOf(job).map(({ settings }): Fields => settings ?? {}), ...slots.flatMap(({ clips }) => clips)];
  const needsWords = usesWords(job);
  if (needsWords && hasFile(job) && (videos > 1 || slots.length > 0)) {
    const where = slots.length > 0 ? "Give each clip its own" : "Use a table with a column for them";
    return { title: "Invalid Subtitles", description: `A subtitle file belongs to one video. ${where}` };
  }
  if (!needsWords || accepted.canTranscribe || hasFile(job) || own.some(hasFile)) return null;
  if (job.subtitles_enabled !== true) {
    const description = "Cutting fillers needs a transcript. Set up transcription in Settings, or add a subtitle file";
    return { title: "Transcript Required", description };
  }
  return { title: "Subtitles Required", description: "Subtitles are enabled but no subtitle file provided" };
}

function usesWords({ subtitles_enabled, cut_fillers }: Fields): boolean {
  return subtitles_enabled === true || cut_fillers === true;
}

function subtitleLinkProblem(settings: Fields, accepted: AcceptedSources) {
  const link = settings.subtitles;
  if (!usesWords(settings) || typeof link !== "string" || link.trim() === "") return null;
  if (parseSubtitlesLink(link, accepted)) return null;
  return { title: "Invalid Subtitles", description: "The subtitle file must be a link to a file" };
}

function subtitlePositionProblem(job: Fields): JobProblem | null {
  const { subtitle_position: position, caption_position: captions = "bottom", caption_y: height = null } = job;
  const areBothOn = job.subtitles_enabled === true && job.captions_enabled === true;
  if (!areBothOn || height !== null || typeof position !== "string" || position !== (captions ?? "bottom")) return null;
  const description = `Captions and subtitles are both ${position === "middle" ? "in" : "at"} the ${position}. Choose another position for one of them`;
  return { title: "Invalid Subtitles", description };
}

function clipProblem(name: string, link: unknown, accepted: AcceptedSources): JobProblem | null {
  if (typeof link !== "string" || link.trim() === "" || parseVideoLink(link, accepted)) return null;
  return { title: `Invalid ${name}`, description: `The ${name.toLowerCase()} must be a link to a video` };
}

function proofProblem({ proof_count, proof_pick, proof_rows }: Fields, videos: number): JobProblem | null {
  if (typeof proof_count !== "number" || proof_count < 1 || proof_pick !== "rows") return null;
  const rows = parseSampleRows(typeof proof_rows === "string" ? proof_rows : "");
  if (rows === null || rows.length === 0) {
    return { title: "Choose Samples", description: "Enter the numbers of the videos to sample, such as 1, 4, 9-12" };
  }
  const beyond = rows.find((row) => row > videos);
  if (beyond === undefined) return null;
  const has = videos === 1 ? "there is only 1 video" : `there are only ${videos.toLocaleString("en")} videos`;
  return { title: "Choose Samples", description: `Video ${beyond} cannot be sampled: ${has}` };
}

function labelsProblem({ worker_labels: text }: Fields): JobProblem | null {
  if (typeof text !== "string" || parseWorkerLabels(text) !== null) return null;
  return { title: "Invalid Worker Labels", description: `Enter ${LABELS_RULE}` };
}

/** Reports captions that do not fit on a vertical video at a readable size. */
export function captionsTooLong(
  tooLong: { count: number; first: { index: number; characters: number; shown: number } } | null,
): JobProblem | null {
  if (!tooLong) return null;
  const { count, first } = tooLong;
  const example = `has ${first.characters} characters, and about ${first.shown} fit on a vertical video`;
  if (count === 1) return { title: "Caption Too Long", description: `Caption ${first.index + 1} ${example}` };
  const description = `${count.toLocaleString("en")} captions are too long: caption ${first.index + 1}, for example, ${example}`;
  return { title: "Captions Too Long", description };
}

function rowsOf(job: Fields): { settings: Fields | null; link?: unknown; pass?: unknown }[] {
  if (!Array.isArray(job.rows)) return [];
  return job.rows.map((row) => {
    const { settings } = asRecord(row);
    return { ...asRecord(row), settings: settings ? asRecord(settings) : null };
  });
}

/** The columns of rows, or the parts of slots, which patterns can use. */
function passedBy(job: Fields): Record<string, string>[] {
  const slots = Array.isArray(job.slots) ? job.slots.filter(isSlot) : [];
  if (slots.length > 0) return [Object.fromEntries(slots.map((slot) => [partField(slot.name), clipName(slot, 0)]))];
  return rowsOf(job).map(({ pass }) =>
    Object.fromEntries(
      Object.entries(asRecord(pass)).map(([name, cell]) => [name, typeof cell === "string" ? cell : ""]),
    ),
  );
}

function asRecord(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((item): item is string => typeof item === "string")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Stops at the first: rules that check each row read the job's lists again and again. */
function hasText(value: unknown, isWanted: (text: string) => boolean = () => true): boolean {
  return Array.isArray(value) && value.some((item) => typeof item === "string" && item.trim() !== "" && isWanted(item));
}
