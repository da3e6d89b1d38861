import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { readPresetSettings, type StoredSettings, withoutJob } from "#contract/presets/read-settings.ts";
import type { Tables } from "#database/tables.ts";
import { holdLibraryFiles } from "../library/hold-library-files.ts";

/**
 * Returns JSON, and holds the library files in use. Throws ClipmillError "invalid" if no job could have so much text. A
 * missing image is no error: a preset may come from another installation.
 */
export async function toStoredPreset(trx: Transaction<Tables>, given: StoredSettings): Promise<string> {
  const { settings } = readPresetSettings(given);
  const problem = sizeProblem({ ...settings, input_videos: [] });
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  await holdLibraryFiles(trx, [...settings.custom_audio_links, settings.watermark_image]);
  return JSON.stringify(withoutJob(given));
}

export async function recordVersion(trx: Transaction<Tables>, presetId: string): Promise<void> {
  await trx
    .insertInto("preset_versions")
    .columns(["preset_id", "version", "settings", "brand_kit_id"])
    .expression(
      trx.selectFrom("presets").select(["id", "version", "settings", "brand_kit_id"]).where("id", "=", presetId),
    )
    .execute();
}

/** Throws ClipmillError "not_found". */
export async function requireBrandKit(trx: Transaction<Tables>, id: string | null): Promise<void> {
  if (id === null) return;
  // locked, so that a concurrent delete sees the preset
  const kit = await trx.selectFrom("brand_kits").select("id").where("id", "=", id).forShare().executeTakeFirst();
  if (!kit) throw new ClipmillError("not_found", "This brand kit no longer exists. Choose another one.");
}

export async function clearDefault(trx: Transaction<Tables>): Promise<void> {
  await trx.updateTable("presets").set({ is_default: false }).where("is_default", "=", true).execute();
}
