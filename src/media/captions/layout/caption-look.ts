import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";

type DrawingSettings = StreamSettings<"drawing">;
const PREFIX = "caption_";

/** How a job's captions look: the settings of the part "drawing", without the prefix `caption_`. */
export type CaptionLook = {
  [Name in keyof DrawingSettings as Name extends `${typeof PREFIX}${infer Rest}` ? Rest : Name]: DrawingSettings[Name];
};

/** Returns the caption look of these settings. */
export function lookOf(settings: DrawingSettings): CaptionLook {
  const drawing = Object.entries(settingsOfPart(settings, "drawing"));
  return Object.fromEntries(drawing.map(([name, value]) => [name.replace(PREFIX, ""), value])) as CaptionLook;
}
