import { z } from "zod";
import { component, named } from "./component.ts";
import { JOB_LIMITS } from "./jobs/jobs.ts";
import { linksIn } from "./sources/links-in-text.ts";
import { splitLinks } from "./sources/links.ts";

const GENERATION_MODES = ["reference", "custom"] as const;
export type GenerationMode = (typeof GENERATION_MODES)[number];

const CAPTION_COUNT = { fallback: 5, least: 1, most: 100 } as const;

/** About a page. */
const MAX_PROMPT_CHARACTERS = 4_000;
const MAX_CAPTIONED_VIDEOS = 200;

export const NO_VALID_LINKS = {
  title: "Invalid Links",
  description: "No valid Google Drive video links found",
} as const;
export const SET_REQUIRED = {
  title: "Caption Set Required",
  description: "Select a caption set to use as a reference",
} as const;
export const SET_NOT_FOUND = {
  title: "Caption Set Not Found",
  description: "The selected caption set no longer exists. Please refresh and select another.",
} as const;
export const PROMPT_REQUIRED = {
  title: "Prompt Required",
  description: "Enter a prompt for the captions",
} as const;

const COUNT_NEEDED = `Request a whole number of captions between ${CAPTION_COUNT.least} and ${CAPTION_COUNT.most}.`;
const text = (name: string) =>
  z
    .string()
    .trim()
    .max(MAX_PROMPT_CHARACTERS, `${name} can have at most 4,000 characters.`)
    .nullish()
    .transform((value) => value ?? "");

export const generateCaptionsSchema = z.object({
  count: z
    .int({ error: COUNT_NEEDED })
    .min(CAPTION_COUNT.least, COUNT_NEEDED)
    .max(CAPTION_COUNT.most, COUNT_NEEDED)
    .default(CAPTION_COUNT.fallback),
  existingCaptions: z
    .array(z.string().max(JOB_LIMITS.captionCharacters))
    .max(JOB_LIMITS.captions)
    .nullish()
    .transform((captions) => captions ?? []),
  captionSetId: z
    .string()
    .nullish()
    .transform((id) => id || null),
  customPrompt: text("The prompt"),
  customNotes: text("The notes"),
  generationMode: z.enum(GENERATION_MODES).default("reference"),
  videoLinks: z
    .array(z.string().max(JOB_LIMITS.linkCharacters))
    .max(MAX_CAPTIONED_VIDEOS)
    .nullish()
    .transform((links) => links ?? [])
    .describe("The captions fit what is said in these videos, as far as they have transcripts."),
});
export type GenerateCaptionsRequest = z.input<typeof generateCaptionsSchema>;
export const GenerateCaptionsResponse = component("GenerateCaptionsResponse", () => ({
  captions: z.array(z.string()),
}));
export type GenerateCaptionsResponse = z.infer<typeof GenerateCaptionsResponse>;

/**
 * Links, or a batch's id. `wait: false` returns immediately. `action` "cancel" ends a batch, "retry" retries its videos
 * without a caption.
 */
export const analyzeVideosSchema = z
  .object({
    videoLinks: z
      .union([z.string().transform(splitLinks), z.array(z.string().max(JOB_LIMITS.linkCharacters))])
      .transform((links) => links.flatMap(linksIn))
      .refine(
        (links) => links.length <= MAX_CAPTIONED_VIDEOS,
        `At most ${MAX_CAPTIONED_VIDEOS} videos can be analyzed at a time.`,
      )
      .nullish(),
    batchId: z.uuid({ error: "The batch ID is not valid." }).nullish(),
    wait: z.boolean().default(true).describe("False returns immediately."),
    action: z.enum(["cancel", "retry"]).nullish(),
  })
  .refine(({ action, batchId }) => !action || batchId, "The batch ID is missing.");

const CAPTION_STAGES = ["Fetching", "Watching", "Listening", "Writing"] as const;
export type CaptionStage = (typeof CAPTION_STAGES)[number];
export const CaptionTaskStatus = named(
  "CaptionTaskStatus",
  z.enum(["Queued", "Processing", "Completed", "Failed", "Cancelled"]),
);
export type CaptionTaskStatus = z.infer<typeof CaptionTaskStatus>;

export const VideoCaption = component("VideoCaption", () => ({
  link: z.string(),
  name: z.string().nullable(),
  status: CaptionTaskStatus,
  stage: z.enum(CAPTION_STAGES).nullable(),
  caption: z.string().nullable(),
  error: z.string().nullable(),
}));
export type VideoCaption = z.infer<typeof VideoCaption>;

export const AnalyzeVideosResponse = component(
  "AnalyzeVideosResponse",
  '`captions` has one text per video, in order ("" for none); `results` has the reasons.',
  () => ({
    captions: z.array(z.string()),
    results: z.array(VideoCaption),
    batchId: z.string(),
    isDone: z.boolean(),
  }),
);
export type AnalyzeVideosResponse = z.infer<typeof AnalyzeVideosResponse>;
