import type { BrandSettings, PresetSettings } from "./preset-settings.ts";

/** All job settings except name and videos. */
export type Preset = {
  id: string;
  name: string;
  /** Complete, with the current values of its brand kit and saved sets. */
  settings: PresetSettings;
  /** Settings that this version cannot use. */
  ignored_settings: string[];
  /** Increases with each change of settings or brand kit. */
  version: number;
  brand_kit_id: string | null;
  /** Used by new job forms; at most one. */
  is_default: boolean;
  created_at: string;
  updated_at: string;
};

/** Read-only; includes the current version. */
export type PresetVersion = Pick<Preset, "id" | "settings" | "ignored_settings" | "version" | "brand_kit_id"> & {
  preset_id: string;
  created_at: string;
};

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
