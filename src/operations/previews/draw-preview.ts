import { z } from "zod";
import type { PreviewResponse } from "#contract/calls.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { layersSchema, previewSettingsSchema } from "#contract/job-settings/setting-schema.ts";

const text = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((input) => input?.trim() || null);

export const previewSchema = previewSettingsSchema.extend({
  input_video: text(JOB_LIMITS.linkCharacters),
  at_seconds: z
    .number()
    .min(0)
    .max(JOB_LIMITS.segmentSeconds)
    .nullish()
    .transform((seconds) => seconds ?? null),
  caption: text(JOB_LIMITS.captionCharacters),
  watermark_text: text(JOB_LIMITS.watermarkCharacters),
  /** Drawn as they are, without fields. */
  layers: layersSchema(JOB_LIMITS.filledLayerCharacters)
    .nullish()
    .transform((layers) => (layers ?? []) as Layer[]),
});

export type PreviewInput = z.output<typeof previewSchema>;

/**
 * Draws a frame as a job would. A worker's function, passed to the server where both start. A newer request of the
 * session aborts the older one, which throws ClipmillError "cancelled"; a timeout throws "unavailable". For an unusable
 * video, the response has the reason on a plain background.
 */
export type DrawPreview = (
  request: PreviewInput,
  caller: { sessionId: string; signal: AbortSignal },
) => Promise<PreviewResponse>;
