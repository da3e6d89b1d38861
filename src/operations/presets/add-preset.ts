import { addPresetSchema } from "#contract/presets/preset-requests.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";
import { requireFreeName } from "./require-free-name.ts";
import { clearDefault, recordVersion, requireBrandKit, toStoredPreset } from "./store-preset.ts";

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
