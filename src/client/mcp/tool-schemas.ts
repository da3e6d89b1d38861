import { z } from "zod";
import { describedSchemaOf } from "#contract/job-settings/setting-schema.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { PRESET_SETTINGS } from "#contract/presets/preset-settings.ts";
import { TABLE_LIMITS } from "#contract/table/table.ts";

export const jobId = z.uuid().describe("The job's ID.");

export const FORECAST =
  "A forecast tells what the job costs: output_seconds is the length of all files, different_files are those that are not copies of others, seconds is how long the job takes, and size_bytes the size of all files. The last two are null until a job has finished on this server. Jobs cost no money.";

export const newJob = z.strictObject({
  name: z.string().trim().min(1).max(JOB_LIMITS.nameCharacters),
  csv: z
    .string()
    .min(1)
    .max(TABLE_LIMITS.characters)
    .describe(
      "A table with a row per video. Columns: link (required), name, caption, caption_2, track, start_seconds, end_seconds, watermark, format and other settings; any other column is passed on to the manifest.",
    ),
  preset: z.string().optional().describe("Name or ID of the preset to start from."),
  settings: z
    .strictObject(Object.fromEntries(PRESET_SETTINGS.map((name) => [name, describedSchemaOf(name)])))
    .default({})
    .describe(
      "What differs from the preset, or from the defaults. Turns on the captions, music, watermark and subtitles that it has.",
    ),
});
