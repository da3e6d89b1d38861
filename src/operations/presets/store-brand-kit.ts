import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { readBrandSettings, type StoredSettings } from "#contract/presets/read-settings.ts";
import { layerImages, layersProblem } from "#contract/jobs/outputs/layer-rules.ts";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { BRAND_SETTINGS } from "#contract/presets/preset-settings.ts";
import type { Tables } from "#database/tables.ts";
import { holdLibraryFiles, requireImages } from "../library/library-uses.ts";

/**
 * Returns JSON, and holds the kit's files. Throws ClipmillError "invalid" for a value that a job would not accept, or a
 * missing image.
 */
export async function toStoredKit(trx: Transaction<Tables>, given: StoredSettings): Promise<string> {
  const settings = readBrandSettings(given);
  const wrong = BRAND_SETTINGS.find((name) => Object.hasOwn(given, name) && !Object.hasOwn(settings, name));
  if (wrong) throw new ClipmillError("invalid", `${wrong}: ${settingOf(wrong).label} is not valid`);
  const { watermark_image: image = null, intro_link: intro = null, outro_link: outro = null } = settings;
  const problem = layersProblem(settings.layers ?? [], null);
  if (problem !== null) throw new ClipmillError("invalid", problem);
  const layers = layerImages(settings.layers ?? [], []);
  await holdLibraryFiles(trx, [image, ...layers, intro, outro]);
  await requireImages(trx, [image], "watermark");
  await requireImages(trx, layers, "layer");
  return JSON.stringify(settings);
}

/** Throws ClipmillError "conflict" if presets use one of the kits. */
export async function requireUnusedKits(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  const presets = await trx
    .selectFrom("presets")
    .select("name")
    .where("brand_kit_id", "in", [...ids])
    .orderBy("name")
    .execute();
  if (presets.length === 0) return;
  const names = presets.slice(0, 3).map(({ name }) => `"${name}"`);
  const more = presets.length > names.length ? ` and ${presets.length - names.length} more` : "";
  const who = presets.length === 1 ? "The preset" : "The presets";
  throw new ClipmillError(
    "conflict",
    `${who} ${names.join(", ")}${more} ${presets.length === 1 ? "uses" : "use"} this brand kit. Choose another brand kit there first.`,
  );
}
