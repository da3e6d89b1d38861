/** All calls throw CallError. */
import type { BrandSettings, PresetSettings } from "#contract/presets/preset-settings.ts";
import type { BrandKit, Preset, PresetVersion } from "#contract/presets/presets.ts";
import { openTables, requireRows } from "./tables.ts";

/** `settings` may come from another version of Clipmill. */
export type PresetDraft = {
  name: string;
  settings: Partial<PresetSettings> | Record<string, unknown>;
  brand_kit_id?: string | null;
};
/** `version` is the one the change is based on; a newer one is not overwritten. */
export type PresetChange = Partial<PresetDraft> & { is_default?: boolean; version?: number };

type BrandKitDraft = { name: string; settings: BrandSettings };

export const presetTable = createTable<Preset, PresetDraft, PresetChange>("presets");
export const brandKitTable = createTable<BrandKit, BrandKitDraft, Partial<BrandKitDraft> & { version?: number }>(
  "brand_kits",
);

type NamedTable<Row, Draft, Change> = {
  /** Ordered by name. */
  list(signal?: AbortSignal): Promise<Row[]>;
  add(draft: Draft): Promise<Row>;
  /** Returns null if the row no longer exists. */
  change(id: string, change: Change): Promise<Row | null>;
  /** Succeeds if the row no longer exists. */
  remove(id: string): Promise<void>;
};

function createTable<Row, Draft extends object, Change extends object>(table: string): NamedTable<Row, Draft, Change> {
  return {
    async list(signal) {
      const page = (await openTables()).from(table).select("*").order("name");
      return requireRows(await (signal ? page.abortSignal(signal) : page)) as Row[];
    },
    async add(draft) {
      const tables = await openTables();
      return (requireRows(await tables.from(table).insert(draft).select("*")) as Row[])[0]!;
    },
    async change(id, change) {
      const tables = await openTables();
      return (requireRows(await tables.from(table).update(change).eq("id", id).select("*")) as Row[])[0] ?? null;
    },
    async remove(id) {
      const tables = await openTables();
      requireRows(await tables.from(table).delete().eq("id", id));
    },
  };
}

/** Lists the newest first. */
export async function listPresetVersions(presetId: string, signal: AbortSignal): Promise<PresetVersion[]> {
  const tables = await openTables();
  const page = tables
    .from("preset_versions")
    .select("*")
    .eq("preset_id", presetId)
    .order("version", { ascending: false });
  return requireRows(await page.abortSignal(signal)) as PresetVersion[];
}
