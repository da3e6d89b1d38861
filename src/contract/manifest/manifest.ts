/** The manifest of an ended job: what each of its files is, and how to make them again. */
import type { ConformanceReport } from "../jobs/outputs/conformance.ts";
import type { CreateJobRequest } from "../jobs/create-job.ts";
import type { Warning } from "../jobs/outputs/warnings.ts";
import type { JobSettings, RowSettings } from "../job-settings/job-settings.ts";

export const MANIFEST_VERSION = 1;

/** Columns of manifest.csv, before those that the rows pass on. */
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

/** A line of manifest.csv. What was not recorded when the file was made is null, and an empty cell. */
export type ManifestLine = Record<ManifestColumn, string | number | null> & {
  /** The file's name, in the zip too. */
  output: string;
  /** The link of the video. */
  source: string;
  /** The video's place in the job or its table, from 1. */
  row: number;
  /** From 1. */
  variant: number;
  segment: number;
  caption: string | null;
  /** The link of the music; of older files its name. */
  track: string | null;
  /** The part of the source. */
  start_seconds: number | null;
  end_seconds: number | null;
  /** Of the file, in hex. */
  sha256: string | null;
  /** The URL of its route; null without links. */
  link: string | null;
  /** Redirects so far; null without a link, and in a zip, whose bytes must not change while it is downloaded. */
  clicks: number | null;
};

/** An output in manifest.json. */
export type ManifestOutput = ManifestLine & {
  track_name: string | null;
  format: JobSettings["format"];
  /** What the row changes for its video, without the texts and tracks that it can use. */
  settings: Omit<RowSettings, "custom_captions" | "custom_audio_links">;
  warnings: Warning[];
  /** Null without a platform. */
  conformance: ConformanceReport | null;
};

/** manifest.json. */
export type Manifest = {
  manifest_version: typeof MANIFEST_VERSION;
  job: { id: string; job_name: string; created_at: string; ended_at: string };
  /** Starts the same job again. */
  request: CreateJobRequest | Omit<CreateJobRequest, "input_videos">;
  /** Links from which a signature or password was removed, in their shortened form. They may no longer work. */
  shortened_links: string[];
  outputs: ManifestOutput[];
};
