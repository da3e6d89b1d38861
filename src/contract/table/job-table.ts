import { z } from "zod";
import { component } from "../component.ts";
import { JobRow } from "../job-settings/response-settings.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { PLANNED } from "../jobs/outputs/planned-captions.ts";
import { Warning } from "../jobs/outputs/warnings.ts";
import type { Problem } from "../problems.ts";
import { encodingNamed, explainEncoding, type TableEncoding } from "./encoding/table-encodings.ts";
import { fieldNamed } from "./read-table.ts";
import { TABLE_LIMITS, type TableField, TableProblem } from "./table.ts";

const NO_TABLE = "Send the table as csv, or the address of a published sheet as url.";

export const jobTableSchema = z
  .object({
    csv: z.string().max(TABLE_LIMITS.characters, "The table is larger than 8 MB. Split it.").nullish(),
    url: z
      .string()
      .trim()
      .max(JOB_LIMITS.linkCharacters, "The address is longer than 2,000 characters.")
      .nullish()
      .describe("The https address of a published sheet."),
    encoding: z
      .string()
      .transform(readEncoding)
      .nullish()
      .describe("The sheet's, unless it is UTF-8, or UTF-16 with a byte order mark."),
    mapping: z
      .record(z.string(), z.string().transform(readField))
      .default({})
      .describe("A column's field, such as `link`, `name`, `pass`, `ignore` or a setting."),
    settings: z.record(z.string(), z.unknown()).default({}).describe("Settings of the job, without videos."),
    dry_run: z.boolean().default(false),
    forecast: z
      .boolean()
      .default(false)
      .describe("With dry_run: also reads the lengths of up to 100 different videos, and forecasts the job."),
  })
  .refine(({ csv, url }) => (csv ?? "") !== "" || (url ?? "") !== "", NO_TABLE)
  .refine(({ csv, url }) => (csv ?? "") === "" || (url ?? "") === "", "Send either csv or url, not both.");

export type JobTableRequest = z.output<typeof jobTableSchema>;

function readField(name: string, context: z.RefinementCtx): TableField {
  const field = name === "pass" || name === "ignore" ? name : fieldNamed(name);
  if (field) return field;
  context.addIssue({ code: "custom", message: `mapping: "${name.slice(0, 100)}" is not the name of a setting.` });
  return z.NEVER;
}

function readEncoding(name: string, context: z.RefinementCtx): TableEncoding {
  const encoding = encodingNamed(name);
  if (encoding) return encoding;
  context.addIssue({ code: "custom", message: `encoding: ${explainEncoding(name)}` });
  return z.NEVER;
}

export const JobTableResponse = component("JobTableResponse", () => ({
  rows: z.array(JobRow).describe("Rows without problems."),
  problems: z.array(TableProblem),
  plan: z
    .object({ videos: z.number(), files: z.number() })
    .describe("Counts `rows`, with one clip per variant where a video's unknown length matters."),
  forecast: z
    .object({
      files: z.number(),
      different_files: z.number().describe("Without copies."),
      output_seconds: z
        .number()
        .nullable()
        .describe("The length of all files. Null while a video's length is unknown."),
      seconds: z.number().nullable().describe("How long the job takes. Null also before the first completed job."),
      size_bytes: z.number().nullable().describe("Of all files. Null like `seconds`."),
      pending_links: z.number().describe("Their videos' lengths are being read: send the table again."),
    })
    .exactOptional()
    .describe("Absent for a table with problems or more than 100 different videos."),
  captions: z
    .array(z.object({ row: z.number().describe("From 1."), captions: z.array(z.string().nullable()) }))
    .exactOptional()
    .describe(
      `With \`forecast\`: the captions of the first ${PLANNED.videos} videos, for the first ${PLANNED.variants} variants of each, before translation. Longer ones are cut off; null is none. Absent for a table with problems.`,
    ),
  warnings: z.array(Warning),
  csv: z.string().exactOptional(),
}));
export type JobTableResponse = z.infer<typeof JobTableResponse>;

/** Returned for a table with problems; no job is created. */
export type JobTableError = Problem & { problems: TableProblem[] };
