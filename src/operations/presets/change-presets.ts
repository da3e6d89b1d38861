import { sql } from "kysely";
import { changePresetSchema } from "#contract/presets/preset-requests.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";
import { requireFreeName, requireVersion } from "./require-free-name.ts";
import { clearDefault, recordVersion, requireBrandKit, toStoredPreset } from "./store-preset.ts";

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
