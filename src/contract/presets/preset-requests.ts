import { z } from "zod";
import { utf8Bytes } from "../utf8-bytes.ts";
import { PRESET_LIMITS } from "./presets.ts";

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
