/** What a preview is asked for with, and who draws it: a worker, handed to the server where both are started. */
import { z } from "zod";
import type { PreviewResponse } from "#contract/calls.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { previewSettingsSchema } from "#contract/job-settings/setting-schema.ts";

const text = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((given) => given?.trim() || null);

/** The fields are named as those of a job. */
export const previewSchema = previewSettingsSchema.extend({
  input_video: text(JOB_LIMITS.linkCharacters),
  caption: text(JOB_LIMITS.captionCharacters),
  watermark_text: text(JOB_LIMITS.watermarkCharacters),
});

export type PreviewInput = z.output<typeof previewSchema>;

/**
 * Draws a frame as a job would. `sessionId` says who asks: a newer wish of the same session ends the older one, which throws
 * ClipmillError "cancelled". Throws "unavailable" when it takes too long. A video that cannot be used is no error: the
 * answer says why, on a plain background.
 */
export type DrawPreview = (
  request: PreviewInput,
  caller: { sessionId: string; signal: AbortSignal },
) => Promise<PreviewResponse>;
