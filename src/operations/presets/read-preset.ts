import type { Kysely } from "kysely";
import type { Preset } from "#contract/presets/presets.ts";
import type { Tables } from "#database/tables.ts";
import { selectColumns } from "../select-columns.ts";
import { presetSources, toPreset } from "./to-preset.ts";

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
