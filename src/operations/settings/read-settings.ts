import { saveSettingsSchema } from "#contract/save-settings.ts";
import { type JobPreferences, PREFERENCE_DEFAULTS, type SettingsResponse } from "#contract/settings.ts";
import type { Context } from "../context.ts";
import { readRetentionDays } from "../retention/read-retention-days.ts";
import { readKeyState } from "./service-key.ts";

/** All settings as they may be told: preferences with their defaults, and of keys only that they are set. */
export async function readSettings(context: Pick<Context, "db" | "secrets">): Promise<SettingsResponse> {
  const saved = await readSavedPreferences(context);
  return {
    google_drive_key: await readKeyState(context, "google_drive_key"),
    openai_key: await readKeyState(context, "openai_key"),
    ...PREFERENCE_DEFAULTS,
    ...saved,
    output_retention_days: await readRetentionDays(context),
    saved_defaults: Object.keys(saved) as (keyof JobPreferences)[],
  };
}

async function readSavedPreferences(context: Pick<Context, "db">): Promise<Partial<JobPreferences>> {
  const names = Object.keys(PREFERENCE_DEFAULTS);
  const rows = await context.db.selectFrom("settings").select(["name", "value"]).where("name", "in", names).execute();
  const saved = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
  // A row is removed where null was saved, so none of these is null.
  return saveSettingsSchema.parse(saved) as Partial<JobPreferences>;
}
