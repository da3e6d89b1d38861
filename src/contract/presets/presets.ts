import { z } from "zod";
import { component } from "../component.ts";
import { BrandSettings, PresetSettings } from "./preset-settings.ts";

export const Preset = component("Preset", "All job settings except name and videos.", () => ({
  id: z.string(),
  name: z.string(),
  settings: PresetSettings.describe("Complete, with the current values of its brand kit and saved sets."),
  ignored_settings: z.array(z.string()).describe("Settings that this version cannot use."),
  version: z.number().describe("Increases with each change of settings or brand kit."),
  brand_kit_id: z.string().nullable(),
  is_default: z.boolean().describe("Used by new job forms; at most one."),
  created_at: z.string(),
  updated_at: z.string(),
}));
export type Preset = z.infer<typeof Preset>;

export const PresetVersion = component("PresetVersion", "Read-only; includes the current version.", () => ({
  id: z.string(),
  settings: PresetSettings.describe("Complete, with the current values of its brand kit and saved sets."),
  ignored_settings: z.array(z.string()).describe("Settings that this version cannot use."),
  version: z.number().describe("Increases with each change of settings or brand kit."),
  brand_kit_id: z.string().nullable(),
  preset_id: z.string(),
  created_at: z.string(),
}));
export type PresetVersion = z.infer<typeof PresetVersion>;

export const BrandKit = component("BrandKit", () => ({
  id: z.string(),
  name: z.string(),
  settings: BrandSettings,
  version: z.number().describe("Increases with each change."),
  created_at: z.string(),
  updated_at: z.string(),
}));
export type BrandKit = z.infer<typeof BrandKit>;

export const PRESET_LIMITS = {
  presets: 100,
  brandKits: 100,
  nameCharacters: 100,
  settingsBytes: 4 * 1024 ** 2,
} as const;
