import {
  type JobPreferences,
  PREFERENCE_DEFAULTS,
  saveSettingsSchema,
  type SettingsResponse,
} from "#contract/settings.ts";
import type { Context } from "../context.ts";
import { readKeyState } from "./service-key.ts";

/** All settings as they may be told: preferences with their defaults, and of keys only that they are set. */
export async function readSettings(context: Pick<Context, "db" | "secrets">): Promise<SettingsResponse> {
  return {
    google_drive_key: await readKeyState(context, "google_drive_key"),
    openai_key: await readKeyState(context, "openai_key"),
    ...(await readPreferences(context)),
  };
}

async function readPreferences(
  context: Pick<Context, "db">,
): Promise<JobPreferences & Pick<SettingsResponse, "saved_defaults">> {
  const names = Object.keys(PREFERENCE_DEFAULTS) as (keyof JobPreferences)[];
  const rows = await context.db.selectFrom("settings").select(["name", "value"]).where("name", "in", names).execute();
  const saved = saveSettingsSchema.parse(Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)])));
  return {
    default_variants: saved.default_variants ?? PREFERENCE_DEFAULTS.default_variants,
    default_audio_mode: saved.default_audio_mode ?? PREFERENCE_DEFAULTS.default_audio_mode,
    default_video_gain: saved.default_video_gain ?? PREFERENCE_DEFAULTS.default_video_gain,
    default_music_gain: saved.default_music_gain ?? PREFERENCE_DEFAULTS.default_music_gain,
    saved_defaults: names.filter((name) => saved[name] !== undefined && saved[name] !== null),
  };
}
