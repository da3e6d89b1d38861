/**
 * Defines each job setting once, for types, validation, defaults, storage, rerun, the form and its drafts, stream keys
 * and the API document. See docs/contributing/add-a-job-setting.md.
 */
import type { Combine, Exclusion, Slot } from "../jobs/assemblies/slots.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import type { Layer } from "../jobs/outputs/layers.ts";
import { CAPTION_FONTS, CAPTION_STYLES, CAPTION_WEIGHTS, FADES, HEIGHTS, POSITIONS } from "./choices.ts";
import type { Setting, ShapeName, StreamPart, ValueOf } from "./setting-kinds.ts";

const COPIED_COLUMN = { stored: "column", isRerun: true } as const;
const COPIED = { stored: "json", isRerun: true } as const;
const LANGUAGES = {
  kind: "list",
  of: "language",
  most: JOB_LIMITS.languages,
  maxCharacters: JOB_LIMITS.languageCharacters,
  default: [],
} as const;
const VIDEO_LINK = { kind: "link", of: "video", maxCharacters: JOB_LIMITS.linkCharacters, default: null } as const;

/** By wire name, in the order of requests and reported problems. */
export const JOB_SETTINGS = {
  job_name: {
    label: "Job name",
    kind: "requiredText",
    maxCharacters: JOB_LIMITS.nameCharacters,
    default: "",
    stored: "column",
    isOfWholeJob: true,
    isRerun: false,
    stream: null,
  },
  input_videos: {
    label: "Videos",
    kind: "requiredList",
    most: JOB_LIMITS.videos,
    maxCharacters: JOB_LIMITS.linkCharacters,
    default: [],
    ...COPIED_COLUMN,
    isOfWholeJob: true,
    stream: null,
  },
  /** One per video, with its link and what differs from the job; empty if nothing does. */
  rows: {
    label: "Rows",
    kind: "shape",
    shape: "rows",
    default: [],
    stored: "videos",
    isOfWholeJob: true,
    isRerun: true,
    stream: null,
  },
  /** Each video is a clip of every slot, in a row; `input_videos` are then all clips. Empty for single videos. */
  slots: {
    label: "Slots",
    kind: "shape",
    shape: "slots",
    default: [],
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** See `combine-clips.ts`. */
  combine: {
    label: "Combinations",
    kind: "shape",
    shape: "combine",
    default: "all",
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  exclude: {
    label: "Excluded pairs",
    kind: "shape",
    shape: "exclude",
    default: [],
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  start_seconds: {
    label: "Start at",
    kind: "number",
    isWhole: false,
    least: 0,
    most: JOB_LIMITS.segmentSeconds,
    default: 0,
    unit: "s",
    ...COPIED,
    stream: null,
  },
  /** Null means the video's end. */
  end_seconds: {
    label: "End at",
    kind: "optionalNumber",
    least: JOB_LIMITS.partSeconds,
    most: JOB_LIMITS.segmentSeconds,
    default: null,
    unit: "s",
    ...COPIED,
    stream: null,
  },
  /** How fast videos play, with their pitch; an intro and an end card play as they are. */
  speed: {
    label: "Speed",
    kind: "number",
    isWhole: false,
    decimals: 2,
    least: 0.5,
    most: 2,
    default: 1,
    unit: "×",
    ...COPIED,
    stream: null,
  },
  /** Limits each file, in units of 1,000,000 bytes: larger ones are encoded again at a lower bit rate. Null is no limit. */
  max_megabytes: {
    label: "Largest file",
    kind: "optionalNumber",
    least: JOB_LIMITS.leastMegabytes,
    most: JOB_LIMITS.mostMegabytes,
    default: null,
    unit: "MB",
    ...COPIED,
    stream: null,
  },
  /** Each file gets a JPEG of its frame at this time, or of its last frame. Null is none. */
  cover_seconds: {
    label: "Cover frame",
    kind: "optionalNumber",
    least: 0,
    most: JOB_LIMITS.segmentSeconds,
    default: null,
    unit: "s",
    ...COPIED,
    stream: "cover",
  },
  /** Cuts pauses in speech of at least this many milliseconds; 0 is off. */
  cut_silences_ms: {
    label: "Cut silences",
    kind: "number",
    isWhole: true,
    least: 0,
    most: JOB_LIMITS.silenceMs,
    default: 0,
    unit: "ms",
    ...COPIED,
    stream: null,
  },
  /** Kept before and after speech. */
  silence_padding_ms: {
    label: "Kept around speech",
    kind: "number",
    isWhole: true,
    least: 0,
    most: JOB_LIMITS.silencePaddingMs,
    default: 150,
    unit: "ms",
    ...COPIED,
    stream: null,
  },
  /** Cuts words such as "um" by the transcript: see `fillers.ts`. */
  cut_fillers: { label: "Cut fillers", kind: "flag", default: false, ...COPIED, stream: null },
  /** How long a clip fades into the next one; 0 is a cut. */
  transition_seconds: {
    label: "Crossfade between clips",
    kind: "number",
    isWhole: false,
    least: 0,
    most: 1,
    default: 0,
    unit: "s",
    ...COPIED,
    stream: "joins",
  },
  /** How long the sound of a part fades into the next one's. */
  audio_crossfade_ms: {
    label: "Sound crossfade",
    kind: "number",
    isWhole: true,
    least: 0,
    most: 300,
    default: 20,
    unit: "ms",
    ...COPIED,
    stream: "joins",
  },
  /** Brings the clips of assembled videos to one loudness. */
  even_loudness: {
    label: "Even out the clips' loudness",
    kind: "flag",
    default: true,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** Videos, shown in full before and after each output, without captions and watermarks. */
  intro_link: { label: "Intro", ...VIDEO_LINK, ...COPIED, stream: null },
  outro_link: { label: "End card", ...VIDEO_LINK, ...COPIED, stream: null },
  captions_enabled: { label: "Captions", kind: "flag", default: false, ...COPIED_COLUMN, stream: null },
  caption_set_id: { label: "Caption set", kind: "id", default: null, ...COPIED_COLUMN, stream: null },
  custom_captions: {
    label: "Caption texts",
    kind: "list",
    most: JOB_LIMITS.captions,
    maxCharacters: JOB_LIMITS.captionCharacters,
    default: [],
    ...COPIED_COLUMN,
    stream: null,
  },
  caption_style: {
    label: "Caption style",
    kind: "choice",
    choices: CAPTION_STYLES,
    default: "outline",
    ...COPIED_COLUMN,
    stream: "drawing",
  },
  /** The lower third is `bottom`. */
  caption_position: {
    label: "Caption position",
    kind: "choice",
    choices: HEIGHTS,
    default: "bottom",
    ...COPIED_COLUMN,
    stream: "drawing",
  },
  caption_size: {
    label: "Caption size",
    kind: "choice",
    choices: { small: "Small", medium: "Medium", large: "Large" },
    default: "medium",
    ...COPIED_COLUMN,
    stream: "drawing",
  },
  caption_font: {
    label: "Caption font",
    kind: "choice",
    choices: CAPTION_FONTS,
    default: "sans",
    ...COPIED,
    stream: "drawing",
  },
  caption_weight: {
    label: "Caption weight",
    kind: "choice",
    choices: CAPTION_WEIGHTS,
    default: "bold",
    ...COPIED,
    stream: "drawing",
  },
  caption_color: { label: "Text color", kind: "color", default: "#ffffff", ...COPIED, stream: "drawing" },
  caption_box_color: {
    label: "Box color",
    kind: "color",
    isTranslucent: true,
    default: "#0e0d0cdb",
    ...COPIED,
    stream: "drawing",
  },
  /** The middle of the caption, from the top; null uses `caption_position`. */
  caption_y: {
    label: "Vertical position",
    kind: "optionalNumber",
    least: 0,
    most: 1,
    default: null,
    ...COPIED,
    stream: "drawing",
  },
  /** For words between asterisks. */
  caption_highlight: { label: "Highlight words", kind: "flag", default: false, ...COPIED, stream: "drawing" },
  /** Seconds from the output's start. */
  caption_start_seconds: {
    label: "Shown from",
    kind: "number",
    isWhole: false,
    least: 0,
    most: JOB_LIMITS.segmentSeconds,
    default: 0,
    stored: "json",
    isRerun: true,
    stream: "timing",
  },
  /** Null means the output's end. */
  caption_end_seconds: {
    label: "Shown until",
    kind: "optionalNumber",
    least: JOB_LIMITS.captionSeconds,
    most: JOB_LIMITS.segmentSeconds,
    default: null,
    stored: "json",
    isRerun: true,
    stream: "timing",
  },
  /** Milliseconds. No fade at the output's own start and end. */
  caption_fade: {
    label: "Caption fade",
    kind: "choice",
    isNumeric: true,
    choices: FADES,
    default: 0,
    stored: "json",
    isRerun: true,
    stream: "timing",
  },
  /** Drawn with the look of captions: docs/decisions/0073. */
  subtitles_enabled: { label: "Subtitles", kind: "flag", default: false, ...COPIED, stream: null },
  /** Of one video: SRT, VTT, ASS, or words as JSON. */
  subtitles: {
    label: "Subtitle file",
    kind: "link",
    of: "subtitles",
    maxCharacters: JOB_LIMITS.linkCharacters,
    default: null,
    ...COPIED,
    stream: null,
  },
  /** Karaoke highlights the words up to the current one, box the current one. */
  subtitle_style: {
    label: "Subtitle style",
    kind: "choice",
    choices: { line: "Lines", word: "Words", karaoke: "Karaoke", box: "Box" },
    default: "line",
    ...COPIED,
    stream: null,
  },
  /** Null: at the bottom, or in the middle if captions are at the bottom. */
  subtitle_position: {
    label: "Subtitle position",
    kind: "choice",
    choices: HEIGHTS,
    offLabel: "Automatic",
    default: null,
    ...COPIED,
    stream: null,
  },
  /** Each variant is made once in each, with its subtitles translated; empty leaves them as they are spoken. */
  subtitle_languages: { label: "Subtitle languages", ...LANGUAGES, ...COPIED, stream: null },
  /** Each variant is made once in each, with its captions translated; empty leaves captions as they are. */
  languages: { label: "Languages", ...LANGUAGES, ...COPIED, stream: null },
  audio_enabled: { label: "Music", kind: "flag", default: false, ...COPIED_COLUMN, stream: null },
  audio_set_id: { label: "Audio set", kind: "id", default: null, ...COPIED_COLUMN, stream: null },
  custom_audio_links: {
    label: "Audio links",
    kind: "list",
    most: JOB_LIMITS.tracks,
    maxCharacters: JOB_LIMITS.linkCharacters,
    default: [],
    ...COPIED_COLUMN,
    stream: null,
  },
  audio_mode: {
    label: "Audio mode",
    kind: "choice",
    choices: { replace: "Replace", mix: "Mix" },
    default: "replace",
    ...COPIED_COLUMN,
    stream: "mix",
  },
  watermark_enabled: { label: "Watermark", kind: "flag", default: false, ...COPIED_COLUMN, stream: null },
  watermark_text: {
    label: "Watermark text",
    kind: "text",
    maxCharacters: JOB_LIMITS.watermarkCharacters,
    default: null,
    ...COPIED_COLUMN,
    stream: null,
  },
  /** A library image's link, drawn in addition to the text. */
  watermark_image: {
    label: "Watermark image",
    kind: "link",
    of: "image",
    maxCharacters: JOB_LIMITS.linkCharacters,
    default: null,
    ...COPIED,
    stream: "watermark",
  },
  /** Within the safe area. */
  watermark_position: {
    label: "Image position",
    kind: "choice",
    choices: POSITIONS,
    default: "top-right",
    ...COPIED,
    stream: "watermark",
  },
  watermark_opacity: { label: "Image opacity", kind: "share", default: 1, ...COPIED, stream: "watermark" },
  /** Share of the frame's width; smaller if the safe area has no room. */
  watermark_scale: {
    label: "Image size",
    kind: "share",
    least: 0.05,
    default: 0.2,
    ...COPIED,
    stream: "watermark",
  },
  /** Further texts and images, the lowest first, above the watermark and below the caption. See `layers.ts`. */
  layers: {
    label: "Layers",
    kind: "shape",
    shape: "layers",
    default: [],
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  variants_per_video: {
    label: "Variants per video",
    kind: "number",
    isWhole: true,
    least: 1,
    most: JOB_LIMITS.variants,
    default: 1,
    ...COPIED_COLUMN,
    stream: null,
  },
  video_gain: { label: "Video volume", kind: "gain", default: 0.7, ...COPIED_COLUMN, stream: "mix" },
  music_gain: { label: "Music volume", kind: "gain", default: 1, ...COPIED_COLUMN, stream: "mix" },
  loop_audio: { label: "Loop audio", kind: "flag", default: true, ...COPIED_COLUMN, stream: "mix" },
  /** Decibels below a voice in the source; 0 is off. */
  ducking_db: {
    label: "Ducking",
    kind: "number",
    isWhole: false,
    least: 0,
    most: 24,
    default: 0,
    unit: "dB",
    ...COPIED,
    stream: "mix",
  },
  /** Integrated loudness (EBU R 128) of all sound; null leaves it unchanged. */
  loudness_lufs: {
    label: "Loudness",
    kind: "optionalNumber",
    least: -30,
    most: -10,
    default: null,
    unit: "LUFS",
    ...COPIED,
    stream: "sound",
  },
  segment_duration: {
    label: "Segment duration",
    kind: "number",
    isWhole: false,
    least: 1,
    most: JOB_LIMITS.segmentSeconds,
    default: 30,
    afterBlur: 10,
    ...COPIED_COLUMN,
    stream: null,
  },
  segmentation_type: {
    label: "Segmentation",
    kind: "choice",
    choices: { single: "Single", multiple: "Multiple" },
    default: null,
    ...COPIED_COLUMN,
    stream: null,
  },
  /** Sets the format, if absent, and the areas that texts keep clear. */
  platform: {
    label: "Platform",
    kind: "choice",
    choices: { tiktok: "TikTok", reels: "Reels", shorts: "Shorts" },
    offLabel: "Any",
    default: null,
    ...COPIED,
    stream: "framing",
  },
  /** Pixels: `FORMAT_SIZES`. */
  format: {
    label: "Format",
    kind: "choice",
    choices: { source: "Original", "9:16": "9:16", "4:5": "4:5", "1:1": "1:1", "16:9": "16:9" },
    default: "source",
    ...COPIED,
    stream: "framing",
  },
  /** Each variant is made in each of them, and `format` is the first; empty for `format` alone. */
  formats: {
    label: "Formats",
    kind: "shape",
    shape: "formats",
    default: [],
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  fit: {
    label: "Fit",
    kind: "choice",
    choices: { crop: "Crop", blur: "Blurred background", pad: "Black bars" },
    default: "crop",
    ...COPIED,
    stream: "framing",
  },
  /** `face` moves a crop with the main face; the point below applies where there is none. */
  fit_focus: {
    label: "Focus",
    kind: "choice",
    choices: { fixed: "Fixed point", face: "Follow the face" },
    default: "fixed",
    ...COPIED,
    stream: "framing",
  },
  /** The point to keep when cropping, from the left and the top. */
  fit_focus_x: { label: "Horizontal focus", kind: "share", default: 0.5, ...COPIED, stream: "framing" },
  fit_focus_y: { label: "Vertical focus", kind: "share", default: 0.5, ...COPIED, stream: "framing" },
  /** Encoding effort; `npm run bench quality` measures cost and quality. */
  quality: {
    label: "Quality",
    kind: "choice",
    choices: { draft: "Draft", standard: "Standard", high: "High" },
    default: "standard",
    ...COPIED_COLUMN,
    stream: "encoding",
  },
  /** Of pictures. HEVC files have the tag hvc1. */
  codec: {
    label: "Codec",
    kind: "choice",
    choices: { h264: "H.264", hevc: "HEVC" },
    default: "h264",
    ...COPIED,
    stream: "encoding",
  },
  /** The job waits for approval after them; 0 for none. */
  proof_count: {
    label: "Samples first",
    kind: "number",
    isWhole: true,
    least: 0,
    most: JOB_LIMITS.samples,
    default: 0,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** `rows` uses `proof_rows`. */
  proof_pick: {
    label: "Samples of",
    kind: "choice",
    choices: { first: "First videos", random: "Random videos", rows: "Chosen videos" },
    default: "first",
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** From 1, with ranges: `1, 4, 9-12`. */
  proof_rows: {
    label: "Videos to sample",
    kind: "text",
    maxCharacters: JOB_LIMITS.sampleRowsCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  download_enabled: {
    label: "Download enabled",
    kind: "flag",
    default: true,
    ...COPIED_COLUMN,
    isOfWholeJob: true,
    stream: null,
  },
  /** Such as `{row.sku}-{variant}`; null: place and source. See `name-pattern.ts`. */
  name_pattern: {
    label: "Name pattern",
    kind: "text",
    maxCharacters: JOB_LIMITS.patternCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  output_folder: {
    label: "Output folder",
    kind: "text",
    maxCharacters: JOB_LIMITS.folderCharacters,
    default: null,
    ...COPIED_COLUMN,
    isOfWholeJob: true,
    stream: null,
  },
  /** A Cloak Manager domain where each output gets a route when the job completes. */
  link_domain_id: { label: "Link domain", kind: "id", default: null, ...COPIED, isOfWholeJob: true, stream: null },
  /** The routes' primary URL, such as `https://shop.example/{row.sku}`. See `link-target.ts`. */
  link_target: {
    label: "Link target",
    kind: "text",
    maxCharacters: JOB_LIMITS.linkCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** Null: the output's file name. See `link-slug.ts`. */
  link_slug_pattern: {
    label: "Slug pattern",
    kind: "text",
    maxCharacters: JOB_LIMITS.patternCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** Added to the target: `utm_source=tiktok&utm_content={name}-{variant}`. */
  link_utm: {
    label: "UTM fields",
    kind: "text",
    maxCharacters: JOB_LIMITS.utmCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  /** Required of workers that take the job's videos. See `worker-labels.ts`. */
  worker_labels: {
    label: "Worker labels",
    kind: "text",
    maxCharacters: JOB_LIMITS.workerLabelsCharacters,
    default: null,
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
  destinations: {
    label: "Deliver to",
    kind: "ids",
    most: JOB_LIMITS.destinations,
    default: [],
    ...COPIED,
    isOfWholeJob: true,
    stream: null,
  },
} as const satisfies Record<string, Setting>;

type Rows = typeof JOB_SETTINGS;
export type SettingName = keyof Rows;

/** The operator's half of a job, fixed at creation. */
export type JobSettings = {
  -readonly [Name in SettingName]: Rows[Name] extends { shape: infer Shape extends ShapeName }
    ? Shapes[Shape]
    : ValueOf<Rows[Name]>;
};

type Shapes = {
  rows: JobRow[];
  slots: Slot[];
  combine: Combine;
  exclude: Exclusion[];
  formats: ValueOf<Rows["format"]>[];
  layers: Layer[];
} & Record<ShapeName, unknown>;

type VideoSettingName = Exclude<SettingName, NameWith<{ isOfWholeJob: true }>>;

export type RowSettings = { -readonly [Name in VideoSettingName]?: ValueOf<Rows[Name]> };

export type JobRow = {
  link: string;
  settings?: RowSettings;
  /** Columns that are passed on unchanged. */
  pass?: Record<string, string>;
  /** Replaces the source's file name in output names. */
  name?: string;
};

export type ColumnSettings = Pick<JobSettings, NameWith<{ stored: "column" }>>;

export type RerunSettings = Pick<JobSettings, NameWith<{ isRerun: true }>>;

export type StreamSettings<Part extends StreamPart = StreamPart> = Pick<JobSettings, NameWith<{ stream: Part }>>;

export type PreviewSettings = StreamSettings<"drawing" | "picture" | "framing" | "watermark">;

type NameWith<Facts> = { [Name in SettingName]: Rows[Name] extends Facts ? Name : never }[SettingName];
