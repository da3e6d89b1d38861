import { z } from "zod";
import { component } from "../component.ts";
import { utf8Bytes } from "../storable-text.ts";
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

const NAME_NEEDED = "Enter a name.";
const TOO_LARGE = "The settings of a preset can total at most 4 MB.";

const name = z
  .string({ error: NAME_NEEDED })
  .trim()
  .min(1, NAME_NEEDED)
  .max(PRESET_LIMITS.nameCharacters, "Names can have at most 100 characters.")
  .refine((text) => !/\p{Cc}/u.test(text), "Names can't contain control characters.");

const settings = z
  .record(z.string(), z.unknown(), { error: "settings: must be an object with settings by name" })
  .refine((given) => utf8Bytes([JSON.stringify(given)]) <= PRESET_LIMITS.settingsBytes, TOO_LARGE);

/** The version the change is based on; absent changes any. */
const version = z.int({ error: "version: must be a whole number" }).optional();

export const addPresetSchema = z.object({
  name,
  settings,
  brand_kit_id: z.uuid({ error: "The brand kit ID is not valid." }).nullish(),
  is_default: z.boolean({ error: "is_default: must be true or false" }).nullish(),
});
export const changePresetSchema = addPresetSchema.partial().extend({ version });

export const addBrandKitSchema = z.object({ name, settings });
export const changeBrandKitSchema = addBrandKitSchema.partial().extend({ version });
