import { z } from "zod";
import type { SilencesResponse } from "#contract/calls.ts";
import { schemaOf } from "#contract/job-settings/setting-schema.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";

export const measureSilencesSchema = z.object({
  action: z.literal("silences"),
  input_video: z.string().trim().min(1).max(JOB_LIMITS.linkCharacters),
  start_seconds: schemaOf("start_seconds") as z.ZodType<number>,
  end_seconds: schemaOf("end_seconds") as z.ZodType<number | null>,
  cut_silences_ms: schemaOf("cut_silences_ms") as z.ZodType<number>,
  silence_padding_ms: schemaOf("silence_padding_ms") as z.ZodType<number>,
});

type MeasureSilencesInput = z.output<typeof measureSilencesSchema>;

/**
 * Returns how much of a video a job would cut. A worker's function, passed to the server where both start. Continues
 * after the response, so that a later request gets the result. Throws ClipmillError for an unusable video.
 */
export type MeasureSilences = (
  request: Omit<MeasureSilencesInput, "action">,
  caller: { signal: AbortSignal },
) => Promise<SilencesResponse>;
