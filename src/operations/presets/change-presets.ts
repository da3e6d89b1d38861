import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { linkNames } from "#contract/job-settings/setting-values.ts";
import { layerImages } from "#contract/jobs/outputs/layer-rules.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { type PresetSettings, settingsOfKit } from "#contract/presets/preset-settings.ts";
import { addPresetSchema, changePresetSchema, type Preset, PRESET_LIMITS } from "#contract/presets/presets.ts";
import {
  readBrandSettings,
  readPresetSettings,
  type StoredSettings,
  withoutJob,
} from "#contract/presets/read-settings.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { type Changing, writeAudit } from "../audit/write-audit.ts";
import { holdLibraryFiles } from "../library/library-uses.ts";
import { parseInput } from "../parse-input.ts";
import { type ColumnSources, selectColumns } from "../select-columns.ts";

/**
 * New settings or another brand kit make a new version. Throws ClipmillError "invalid", "not_found" (brand kit) or
 * "conflict".
 */
export async function changePresets({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const { version, name, settings, brand_kit_id, is_default } = parseInput(changePresetSchema, body);
  await lockChanges(trx, "presets");
  if (brand_kit_id) await requireBrandKit(trx, brand_kit_id);
  const stored = settings && (await toStoredPreset(trx, settings));
  for (const id of ids) {
    const row = await trx.selectFrom("presets").select("version").where("id", "=", id).executeTakeFirst();
    if (!row) continue;
    requireVersion("presets", row.version, version);
    if (name !== undefined) await requireFreeName(trx, "presets", { id, name });
    if (is_default) await clearDefault(trx);
    const isNewVersion = stored !== undefined || brand_kit_id !== undefined;
    await trx
      .updateTable("presets")
      .set({
        ...(name !== undefined && { name }),
        ...(stored !== undefined && { settings: stored }),
        ...(brand_kit_id !== undefined && { brand_kit_id }),
        ...(is_default != null && { is_default }),
        ...(isNewVersion && { version: row.version + 1 }),
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .execute();
    if (isNewVersion) await recordVersion(trx, id);
  }
  await writeAudit(trx, actor, { action: "presets.change", subjects: ids });
}

/** Throws ClipmillError "invalid", "conflict", or "not_found" for a missing brand kit. */
export async function addPreset({ trx, actor }: Changing, body: unknown): Promise<{ id: string }> {
  const { name, settings, brand_kit_id = null, is_default } = parseInput(addPresetSchema, body);
  await lockChanges(trx, "presets");
  await requireFreeName(trx, "presets", { id: null, name });
  await requireBrandKit(trx, brand_kit_id);
  if (is_default) await clearDefault(trx);
  const added = await trx
    .insertInto("presets")
    .values({ name, settings: await toStoredPreset(trx, settings), brand_kit_id, is_default: is_default ?? false })
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordVersion(trx, added.id);
  await writeAudit(trx, actor, { action: "presets.add", subjects: [added.id] });
  return added;
}

/**
 * Returns JSON, and holds the library files in use. Throws ClipmillError "invalid" if no job could have so much text. A
 * missing image is no error: a preset may come from another installation.
 */
async function toStoredPreset(trx: Transaction<Tables>, given: StoredSettings): Promise<string> {
  const { settings } = readPresetSettings(given);
  const problem = sizeProblem({ ...settings, input_videos: [] });
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  await holdLibraryFiles(trx, [
    ...settings.custom_audio_links,
    ...layerImages(settings.layers, []),
    ...linkNames().map((name) => (name in settings ? settings[name as "intro_link"] : null)),
  ]);
  return JSON.stringify(withoutJob(given));
}

async function recordVersion(trx: Transaction<Tables>, presetId: string): Promise<void> {
  await trx
    .insertInto("preset_versions")
    .columns(["preset_id", "version", "settings", "brand_kit_id"])
    .expression(
      trx.selectFrom("presets").select(["id", "version", "settings", "brand_kit_id"]).where("id", "=", presetId),
    )
    .execute();
}

/** Throws ClipmillError "not_found". */
async function requireBrandKit(trx: Transaction<Tables>, id: string | null): Promise<void> {
  if (id === null) return;
  // locked, so that a concurrent delete sees the preset
  const kit = await trx.selectFrom("brand_kits").select("id").where("id", "=", id).forShare().executeTakeFirst();
  if (!kit) throw new ClipmillError("not_found", "This brand kit no longer exists. Choose another one.");
}

async function clearDefault(trx: Transaction<Tables>): Promise<void> {
  await trx.updateTable("presets").set({ is_default: false }).where("is_default", "=", true).execute();
}

type NamedTable = "presets" | "brand_kits";

const KINDS = {
  presets: { noun: "preset", nouns: "presets", most: PRESET_LIMITS.presets },
  brand_kits: { noun: "brand kit", nouns: "brand kits", most: PRESET_LIMITS.brandKits },
} as const satisfies Record<NamedTable, object>;

/** `id` is null for a new row. Throws ClipmillError "conflict" for a name in use, or at the limit. */
export async function requireFreeName(
  trx: Transaction<Tables>,
  table: NamedTable,
  { id, name }: { id: string | null; name: string },
): Promise<void> {
  const others = (await trx.selectFrom(table).select(["id", "name"]).execute()).filter((row) => row.id !== id);
  const { noun, nouns, most } = KINDS[table];
  if (id === null && others.length >= most) {
    throw new ClipmillError("conflict", `There can be at most ${most} ${nouns}. Delete one first.`);
  }
  if (others.some((row) => row.name.toLowerCase() === name.toLowerCase())) {
    throw new ClipmillError("conflict", `There is already a ${noun} named "${name}". Choose another name.`);
  }
}

/** Throws ClipmillError "conflict" for an outdated version. */
export function requireVersion(table: NamedTable, stored: number, given: number | undefined): void {
  if (given === undefined || given === stored) return;
  throw new ClipmillError(
    "conflict",
    `This ${KINDS[table].noun} was changed elsewhere. Check its current values, then make your change again.`,
  );
}

/** With the current values of its brand kit and saved sets. */
export async function readPreset(
  db: Kysely<Tables>,
  id: string,
): Promise<Pick<Preset, "id" | "name" | "settings"> | null> {
  const columns = ["id", "name", "settings"];
  const row = await selectColumns<Record<string, unknown>>(db, "presets", columns, presetSources("presets"))
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? (toPreset(row) as Pick<Preset, "id" | "name" | "settings">) : null;
}

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
