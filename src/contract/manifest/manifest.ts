/** Describes each file of an ended job, and how to make it again. */
import type { ConformanceReport } from "../jobs/outputs/conformance.ts";
import type { CreateJobRequest } from "../jobs/create-job.ts";
import type { Warning } from "../jobs/outputs/warnings.ts";
import type { JobSettings, RowSettings } from "../job-settings/job-settings.ts";

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
] as const;
type ManifestColumn = (typeof MANIFEST_COLUMNS)[number];

/** Null (an empty cell in manifest.csv) if not recorded when the file was made. */
export type ManifestLine = Record<ManifestColumn, string | number | null> & {
  /** The file's name, in the zip too. */
  output: string;
  /** The video's link. */
  source: string;
  /** The video's place in the job or its table, from 1. */
  row: number;
  /** From 1. */
  variant: number;
  segment: number;
  caption: string | null;
  /** The music's link, for older files its name. */
  track: string | null;
  start_seconds: number | null;
  end_seconds: number | null;
  /** In hex. */
  sha256: string | null;
  /** URL of its route; null without links. */
  link: string | null;
  /** Redirects so far; null without a link, and in a zip, whose bytes must not change during a download. */
  clicks: number | null;
};

export type ManifestOutput = ManifestLine & {
  track_name: string | null;
  format: JobSettings["format"];
  /** The row's changes, without texts and tracks. */
  settings: Omit<RowSettings, "custom_captions" | "custom_audio_links">;
  warnings: Warning[];
  /** Null without a platform. */
  conformance: ConformanceReport | null;
};

export type Manifest = {
  manifest_version: typeof MANIFEST_VERSION;
  job: { id: string; job_name: string; created_at: string; ended_at: string };
  request: CreateJobRequest | Omit<CreateJobRequest, "input_videos">;
  /** Shortened links, without their signature or password; they may no longer work. */
  shortened_links: string[];
  outputs: ManifestOutput[];
};
