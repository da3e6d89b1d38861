import { z } from "zod";
import { component } from "../component.ts";
import type { JOB_SETTINGS, SettingName } from "../job-settings/job-settings.ts";
import { settingShapes } from "../job-settings/response-settings.ts";
import { settingsWhere } from "../job-settings/setting-values.ts";

type KindOfOneJob = "requiredText" | "requiredList" | "rows";
const KINDS_OF_ONE_JOB: ReadonlySet<string> = new Set<KindOfOneJob>(["requiredText", "requiredList", "rows"]);

export type PresetSettingName = {
  [Name in SettingName]: (typeof JOB_SETTINGS)[Name]["kind"] extends KindOfOneJob ? never : Name;
}[SettingName];

/** In the order of `JOB_SETTINGS`. */
export const PRESET_SETTINGS = settingsWhere((row) => !KINDS_OF_ONE_JOB.has(row.kind)) as PresetSettingName[];

export const PresetSettings = component("PresetSettings", () => settingShapes.whole(PRESET_SETTINGS));
export type PresetSettings = z.infer<typeof PresetSettings>;

export const BRAND_SETTINGS = [
  "watermark_text",
  "watermark_image",
  "watermark_position",
  "watermark_opacity",
  "watermark_scale",
  "caption_color",
  "caption_box_color",
  "caption_font",
  "caption_weight",
] as const satisfies readonly PresetSettingName[];

export const BrandSettings = z.object(settingShapes.optional(BRAND_SETTINGS));
export type BrandSettings = z.infer<typeof BrandSettings>;

/** A kit with a watermark turns watermarks on. */
export function settingsOfKit(kit: BrandSettings): Partial<PresetSettings> {
  const hasWatermark = (kit.watermark_text ?? null) !== null || (kit.watermark_image ?? null) !== null;
  return { ...kit, ...(hasWatermark && { watermark_enabled: true }) };
}
