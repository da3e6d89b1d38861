/** What a preview is asked for with, and who draws it: a worker, handed to the server where both are started. */
import { z } from "zod";
import type { PreviewResponse } from "#contract/calls.ts";
import { CAPTION_POSITIONS, CAPTION_SIZES, CAPTION_STYLES, JOB_DEFAULTS, JOB_LIMITS } from "#contract/jobs.ts";

const text = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((given) => given?.trim() || null);

/** The fields are named as those of a job. */
export const previewSchema = z.object({
  input_video: text(JOB_LIMITS.linkCharacters),
  caption: text(JOB_LIMITS.captionCharacters),
  caption_style: z.enum(CAPTION_STYLES).default(JOB_DEFAULTS.captionStyle),
  caption_position: z.enum(CAPTION_POSITIONS).default(JOB_DEFAULTS.captionPosition),
  caption_size: z.enum(CAPTION_SIZES).default(JOB_DEFAULTS.captionSize),
  watermark_text: text(JOB_LIMITS.watermarkCharacters),
});

export type PreviewWish = z.output<typeof previewSchema>;

/**
 * Draws a frame as a job would. `sessionId` says who asks: a newer wish of the same session ends the older one, which throws
 * ClipmillError "cancelled". Throws "unavailable" when it takes too long. A video that cannot be used is no error: the
 * answer says why, on a plain background.
 */
export type DrawPreview = (
  wish: PreviewWish,
  asker: { sessionId: string; signal: AbortSignal },
) => Promise<PreviewResponse>;
