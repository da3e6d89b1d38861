import { sql } from "kysely";
import { settingsOfKit, type PresetSettings } from "#contract/presets/preset-settings.ts";
import { readBrandSettings, readPresetSettings, type StoredSettings } from "#contract/presets/read-settings.ts";
import type { ColumnSources } from "../select-columns.ts";

type StoredRow = {
  settings?: StoredSettings;
  kit_settings?: StoredSettings | null;
  set_captions?: string[] | null;
  set_tracks?: string[] | null;
};

export function presetSources(table: "presets" | "preset_versions"): ColumnSources {
  const settings = sql.ref(`${table}.settings`);
  return {
    expressions: {
      kit_settings: sql`(select settings from brand_kits where id = ${sql.ref(`${table}.brand_kit_id`)})`,
      set_captions: sql`(select captions from caption_sets where id::text = ${settings} ->> 'caption_set_id')`,
      set_tracks: sql`(select audio_links from audio_sets where id::text = ${settings} ->> 'audio_set_id')`,
    },
    parts: {
      settings: ["settings", "kit_settings", "set_captions", "set_tracks"],
      ignored_settings: ["settings"],
    },
  };
}

/** Omits a saved set that no longer exists; its texts stay. */
export function toPreset(row: Record<string, unknown>): Record<string, unknown> {
  const { settings: stored, kit_settings: kit, set_captions, set_tracks, ...rest } = row as StoredRow;
  if (!stored) return rest;
  const { settings, ignored } = readPresetSettings(stored);
  const current: PresetSettings = {
    ...settings,
    ...(set_captions ? { custom_captions: set_captions } : { caption_set_id: null }),
    ...(set_tracks ? { custom_audio_links: set_tracks } : { audio_set_id: null }),
    ...(kit && settingsOfKit(readBrandSettings(kit))),
  };
  return { ...rest, settings: current, ignored_settings: ignored };
}
