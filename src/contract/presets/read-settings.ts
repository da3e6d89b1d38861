/** Another version of Clipmill may have stored the settings. */
import type { SettingName } from "../job-settings/job-settings.ts";
import { schemaOf } from "../job-settings/setting-schema.ts";
import { JOB_DEFAULTS, SETTING_NAMES } from "../job-settings/setting-values.ts";
import { withPlatformDefaults } from "../jobs/outputs/platforms.ts";
import { BRAND_SETTINGS, type BrandSettings, PRESET_SETTINGS, type PresetSettings } from "./preset-settings.ts";

export type StoredSettings = Readonly<Record<string, unknown>>;

/** Fills in defaults. `ignored` names unknown settings and values that this version does not accept. */
export function readPresetSettings(stored: StoredSettings): { settings: PresetSettings; ignored: string[] } {
  const ignored = new Set(Object.keys(stored).filter((name) => !isOneOf(PRESET_SETTINGS, name)));
  const usable = Object.fromEntries(
    PRESET_SETTINGS.flatMap((name) => {
      const read = schemaOf(name).safeParse(stored[name]);
      if (!read.success) ignored.add(name);
      return read.success && Object.hasOwn(stored, name) ? [[name, read.data]] : [];
    }),
  );
  const defaults = Object.fromEntries(PRESET_SETTINGS.map((name) => [name, JOB_DEFAULTS[name]]));
  const settings = { ...defaults, ...(withPlatformDefaults(usable) as object) } as PresetSettings;
  return { settings, ignored: [...ignored] };
}

export function readBrandSettings(stored: StoredSettings): BrandSettings {
  return Object.fromEntries(
    BRAND_SETTINGS.flatMap((name) => {
      if (!Object.hasOwn(stored, name)) return [];
      const read = schemaOf(name).safeParse(stored[name]);
      return read.success ? [[name, read.data]] : [];
    }),
  );
}

export function withoutJob(settings: StoredSettings): StoredSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !isOfOneJob(name)));
}

function isOfOneJob(name: string): boolean {
  return isOneOf(SETTING_NAMES, name) && !isOneOf(PRESET_SETTINGS, name);
}

function isOneOf(names: readonly SettingName[], name: string): boolean {
  return (names as readonly string[]).includes(name);
}
