import type { JobSettings } from "../../job-settings/job-settings.ts";

export type Format = JobSettings["format"];
export type Fit = JobSettings["fit"];

/** By wire name, in pixels. The short side is 1080. */
export const FORMAT_SIZES: Record<Exclude<Format, "source">, { width: number; height: number }> = {
  "9:16": { width: 1_080, height: 1_920 },
  "4:5": { width: 1_080, height: 1_350 },
  "1:1": { width: 1_080, height: 1_080 },
  "16:9": { width: 1_920, height: 1_080 },
};
