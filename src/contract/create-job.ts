/** What a job may ask for: one set of rules for the form and the server (SPEC section 5, DESIGN section 5). */
import { z } from "zod";
import {
  AUDIO_MODES,
  CAPTION_POSITIONS,
  CAPTION_SIZES,
  CAPTION_STYLES,
  JOB_DEFAULTS,
  JOB_LIMITS,
  QUALITIES,
  SEGMENTATION_TYPES,
} from "./jobs.ts";
import { firstProblem, type JobProblem } from "./job-rules.ts";

const text = (most: number) => z.string().max(most);
const list = (items: number, characters: number) => z.array(text(characters)).max(items);
const gain = z.number().min(0).max(1);

/** The body of the call jobs, create. Every field but job_name and input_videos is optional and nullable. */
export const createJobSchema = z.object({
  job_name: text(JOB_LIMITS.nameCharacters).transform((name) => name.trim()),
  input_videos: list(JOB_LIMITS.videos, JOB_LIMITS.linkCharacters).transform(trimmedItems),
  captions_enabled: z
    .boolean()
    .nullish()
    .transform((on) => on ?? false),
  caption_set_id: z
    .uuid()
    .nullish()
    .transform((id) => id ?? null),
  custom_captions: list(JOB_LIMITS.captions, JOB_LIMITS.captionCharacters).nullish().transform(trimmedItems),
  caption_style: z
    .enum(CAPTION_STYLES)
    .nullish()
    .transform((style) => style ?? JOB_DEFAULTS.captionStyle),
  caption_position: z
    .enum(CAPTION_POSITIONS)
    .nullish()
    .transform((place) => place ?? JOB_DEFAULTS.captionPosition),
  caption_size: z
    .enum(CAPTION_SIZES)
    .nullish()
    .transform((size) => size ?? JOB_DEFAULTS.captionSize),
  audio_enabled: z
    .boolean()
    .nullish()
    .transform((on) => on ?? false),
  audio_set_id: z
    .uuid()
    .nullish()
    .transform((id) => id ?? null),
  custom_audio_links: list(JOB_LIMITS.tracks, JOB_LIMITS.linkCharacters).nullish().transform(trimmedItems),
  audio_mode: z
    .enum(AUDIO_MODES)
    .nullish()
    .transform((mode) => mode ?? JOB_DEFAULTS.audioMode),
  watermark_enabled: z
    .boolean()
    .nullish()
    .transform((on) => on ?? false),
  watermark_text: text(JOB_LIMITS.watermarkCharacters)
    .nullish()
    .transform((mark) => mark?.trim() || null),
  variants_per_video: z
    .int()
    .min(1)
    .max(JOB_LIMITS.variants)
    .nullish()
    .transform((n) => n ?? JOB_DEFAULTS.variants),
  video_gain: gain.nullish().transform((n) => n ?? JOB_DEFAULTS.videoGain),
  music_gain: gain.nullish().transform((n) => n ?? JOB_DEFAULTS.musicGain),
  loop_audio: z
    .boolean()
    .nullish()
    .transform((on) => on ?? JOB_DEFAULTS.loopAudio),
  segment_duration: z
    .number()
    .min(1)
    .max(JOB_LIMITS.segmentSeconds)
    .nullish()
    .transform((s) => s ?? JOB_DEFAULTS.segmentSeconds),
  segmentation_type: z
    .enum(SEGMENTATION_TYPES)
    .nullish()
    .transform((type) => type ?? null),
  quality: z
    .enum(QUALITIES)
    .nullish()
    .transform((quality) => quality ?? JOB_DEFAULTS.quality),
  download_enabled: z
    .boolean()
    .nullish()
    .transform((on) => on ?? JOB_DEFAULTS.downloadEnabled),
  output_folder: text(JOB_LIMITS.folderCharacters)
    .nullish()
    .transform((folder) => folder?.trim() || null),
});

/** What may be sent. */
export type CreateJobRequest = z.input<typeof createJobSchema>;
/** What it means: every default filled in, every text trimmed. */
export type CreateJobInput = z.output<typeof createJobSchema>;

export type ParsedCreateJob = { ok: true; input: CreateJobInput } | { ok: false; problem: JobProblem };

/**
 * Checks a create request whole. SPEC's rules come first and in SPEC's order, then types and limits, so that the
 * message is the one the form would have shown.
 */
export function parseCreateJob(body: unknown): ParsedCreateJob {
  const problem = firstProblem(body);
  if (problem) return { ok: false, problem };
  const parsed = createJobSchema.safeParse(body);
  if (parsed.success) return { ok: true, input: parsed.data };
  return { ok: false, problem: { title: "Invalid Job", description: describeIssue(parsed.error) } };
}

/** One sentence naming the first field that is wrong and what it may be. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "The job could not be read";
  const field = issue.path.length > 0 ? issue.path.join(".") : "The request";
  return `${field}: ${issue.message}`;
}

function trimmedItems(items: string[] | null | undefined): string[] {
  return (items ?? []).map((item) => item.trim()).filter((item) => item !== "");
}
