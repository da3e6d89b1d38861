import { saveSettingsSchema } from "#contract/settings/save-settings.ts";
import { type JobPreferences, PREFERENCE_DEFAULTS, type SettingsResponse } from "#contract/settings/settings.ts";
import type { Context } from "../context.ts";
import { readRetentionDays } from "../retention/read-retention-days.ts";
import { readAcceptedSources } from "../sources/accepted-sources.ts";
import { fixedPages, type PageRules, readPages } from "./page-addresses.ts";
import { readPrefetchSources } from "./prefetch-setting.ts";
import { readKeyState } from "./service-key.ts";

/** With defaults; keys only as their state. */
export async function readSettings(
  context: Pick<Context, "db" | "secrets" | "hosts"> & Pick<PageRules, "embeddedPages">,
): Promise<SettingsResponse> {
  const pages = await readPages(context.db, context);
  const saved = await readSavedPreferences(context);
  const accepted = await readAcceptedSources(context);
  return {
    google_drive_key: await readKeyState(context, "google_drive_key"),
    openai_key: await readKeyState(context, "openai_key"),
    ...PREFERENCE_DEFAULTS,
    ...saved,
    batch_scheduler_url: pages.batchScheduler,
    warmup_robot_url: pages.warmupRobot,
    fixed_settings: fixedPages(context),
    source_hosts: [...accepted.hosts],
    private_sources: [...accepted.privateSources],
    output_retention_days: await readRetentionDays(context),
    prefetch_sources: await readPrefetchSources(context),
    saved_defaults: Object.keys(saved) as (keyof JobPreferences)[],
  };
}

async function readSavedPreferences(context: Pick<Context, "db">): Promise<Partial<JobPreferences>> {
  const names = Object.keys(PREFERENCE_DEFAULTS);
  const rows = await context.db.selectFrom("settings").select(["name", "value"]).where("name", "in", names).execute();
  const saved = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
  // Saving null removes the row, so none is null.
  return saveSettingsSchema.parse(saved) as Partial<JobPreferences>;
}
