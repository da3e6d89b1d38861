import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";

type DrawingSettings = StreamSettings<"drawing">;
const PREFIX = "caption_";

export type CaptionLook = {
  [Name in keyof DrawingSettings as Name extends `${typeof PREFIX}${infer Rest}` ? Rest : Name]: DrawingSettings[Name];
};

export function lookOf(settings: DrawingSettings): CaptionLook {
  const drawing = Object.entries(settingsOfPart(settings, "drawing"));
  return Object.fromEntries(drawing.map(([name, value]) => [name.replace(PREFIX, ""), value])) as CaptionLook;
}

export const DEFAULT_LOOK = lookOf(JOB_DEFAULTS);
