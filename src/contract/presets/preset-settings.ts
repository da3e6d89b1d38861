import { z } from "zod";
import { component } from "../component.ts";
import type { SettingName } from "../job-settings/job-settings.ts";
import { settingShapes, settingsExcept } from "../job-settings/response-settings.ts";

const OF_ONE_JOB = [
  "job_name",
  "input_videos",
  "rows",
  "slots",
  "combine",
  "exclude",
  "subtitles",
] as const satisfies SettingName[];

export type PresetSettingName = Exclude<SettingName, (typeof OF_ONE_JOB)[number]>;

/** In the order of `JOB_SETTINGS`. */
export const PRESET_SETTINGS: readonly PresetSettingName[] = settingsExcept(OF_ONE_JOB);

export const PresetSettings = component("PresetSettings", () => settingShapes.whole(PRESET_SETTINGS));
export type PresetSettings = z.infer<typeof PresetSettings>;

export const BRAND_SETTINGS = [
  "watermark_text",
  "watermark_image",
  "watermark_position",
  "watermark_opacity",
  "watermark_scale",
  "layers",
  "caption_color",
  "caption_box_color",
  "caption_font",
  "caption_weight",
  "intro_link",
  "outro_link",
] as const satisfies readonly PresetSettingName[];

export const BrandSettings = z.object(settingShapes.optional(BRAND_SETTINGS));
export type BrandSettings = z.infer<typeof BrandSettings>;

/** A kit with a watermark turns watermarks on. */
export function settingsOfKit(kit: BrandSettings): Partial<PresetSettings> {
  const hasWatermark = (kit.watermark_text ?? null) !== null || (kit.watermark_image ?? null) !== null;
  return { ...kit, ...(hasWatermark && { watermark_enabled: true }) };
}
