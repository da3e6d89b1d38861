/** Rows of the tables presets, preset_versions and brand_kits. */
import type { BrandSettings, PresetSettings } from "./preset-settings.ts";

/** A row of the table presets: all settings of a job by name, except its name and videos. */
export type Preset = {
  id: string;
  name: string;
  /** Complete, with the current values of its brand kit and of its saved sets. */
  settings: PresetSettings;
  /** Names of stored settings that this version of Clipmill cannot use. */
  ignored_settings: string[];
  /** Increases with each change of settings or brand kit. */
  version: number;
  brand_kit_id: string | null;
  /** New job forms start with it. At most one preset is the default. */
  is_default: boolean;
  created_at: string;
  updated_at: string;
};

/** A row of the table preset_versions, which has every version, also the current one. Read-only. */
export type PresetVersion = Pick<Preset, "id" | "settings" | "ignored_settings" | "version" | "brand_kit_id"> & {
  preset_id: string;
  created_at: string;
};

/** A row of the table brand_kits. */
export type BrandKit = {
  id: string;
  name: string;
  settings: BrandSettings;
  /** Increases with each change. */
  version: number;
  created_at: string;
  updated_at: string;
};

export const PRESET_LIMITS = {
  presets: 100,
  brandKits: 100,
  nameCharacters: 100,
  settingsBytes: 4 * 1024 ** 2,
} as const;
