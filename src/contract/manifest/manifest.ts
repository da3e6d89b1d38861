/** Describes each file of an ended job, and how to make it again. */
import { z } from "zod";
import { component } from "../component.ts";
import { ClipmillError } from "../errors.ts";
import { settingShapes } from "../job-settings/response-settings.ts";
import { SETTING_NAMES } from "../job-settings/setting-values.ts";
import { CreateJobRequest, OPTIONAL_SETTINGS } from "../jobs/create-job.ts";
import { ConformanceReport } from "../jobs/outputs/conformance.ts";
import { Warning } from "../jobs/outputs/warnings.ts";

export const MANIFEST_VERSION = 1;

/** Columns that rows pass on follow. */
export const MANIFEST_COLUMNS = [
  "output",
  "source",
  "row",
  "variant",
  "segment",
  "caption",
  "track",
  "start_seconds",
  "end_seconds",
  "duration_seconds",
  "width",
  "height",
  "size_bytes",
  "sha256",
  "link",
  "clicks",
  "cover",
  "subtitles",
  "language",
] as const;
type ManifestColumn = (typeof MANIFEST_COLUMNS)[number];

const RECORDED = z.union([z.string(), z.number()]).nullable();

/** Null (an empty cell in manifest.csv) if not recorded when the file was made. */
const LINE = {
  output: z.string().describe("The file's name, in the zip too."),
  source: z.string().describe("The video's link."),
  row: z.number().describe("The video's place in the job or its table, from 1."),
  variant: z.number().describe("From 1."),
  segment: z.number(),
  caption: z.string().nullable(),
  track: z.string().nullable().describe("The music's link, for older files its name."),
  start_seconds: z.number().nullable(),
  end_seconds: z.number().nullable(),
  duration_seconds: RECORDED,
  width: RECORDED,
  height: RECORDED,
  size_bytes: RECORDED,
  sha256: z.string().nullable().describe("In hex."),
  link: z.string().nullable().describe("URL of its route; null without links."),
  clicks: z
    .number()
    .nullable()
    .describe("Redirects so far; null without a link, and in a zip, whose bytes must not change during a download."),
  cover: z.string().nullable().describe("The name of the file's cover frame, in the zip too; null without one."),
  subtitles: z
    .string()
    .nullable()
    .describe("The name of the file's subtitles as SRT, in the zip too, beside the VTT; null without any."),
  language: z.string().nullable().describe("One of `languages` or `subtitle_languages`; null without them."),
} satisfies Record<ManifestColumn, z.ZodType>;
export type ManifestLine = z.infer<z.ZodObject<typeof LINE>>;

export const ManifestOutput = component("ManifestOutput", () => ({
  ...LINE,
  track_name: z.string().nullable(),
  ...settingShapes.whole(["format"]),
  settings: z
    .object(settingShapes.ofRow(["custom_captions", "custom_audio_links"]))
    .describe("The row's changes, without texts and tracks."),
  parts: z
    .array(z.object({ slot: z.string(), clip: z.number().describe("From 1."), link: z.string() }))
    .describe("The clips of an assembled video, in a row; else empty."),
  warnings: z.array(Warning),
  conformance: z.nullable(ConformanceReport).describe("Null without a platform."),
}));
export type ManifestOutput = z.infer<typeof ManifestOutput>;

const RequestOfRows = z.object({
  ...settingShapes.whole(["job_name"]),
  ...settingShapes.requested(OPTIONAL_SETTINGS),
});

export const Manifest = component("Manifest", () => ({
  manifest_version: z.literal(MANIFEST_VERSION),
  job: z.object({ id: z.string(), job_name: z.string(), created_at: z.string(), ended_at: z.string() }),
  request: z.union([CreateJobRequest, RequestOfRows]),
  shortened_links: z
    .array(z.string())
    .describe("Shortened links, without their signature or password; they may no longer work."),
  outputs: z.array(ManifestOutput),
}));
export type Manifest = z.infer<typeof Manifest>;

export const manifestSchema = z.object({ manifest_version: z.int(), request: z.record(z.string(), z.unknown()) });

/**
 * Returns the request for the same job, still unchecked. Throws ClipmillError "invalid" for anything but a manifest and
 * for settings that this version does not support.
 */
export function manifestToRequest(manifest: unknown): Partial<CreateJobRequest> {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) throw new ClipmillError("invalid", "This is not the manifest.json of a job.");
  const { manifest_version: version, request } = parsed.data;
  if (version > MANIFEST_VERSION)
    throw new ClipmillError("invalid", "This manifest is from a newer version of Clipmill.");
  const known = new Set<string>(SETTING_NAMES);
  const unknown = Object.keys(request).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ClipmillError(
      "invalid",
      `This manifest has the setting "${unknown}", which this version of Clipmill does not support.`,
    );
  }
  return request;
}
