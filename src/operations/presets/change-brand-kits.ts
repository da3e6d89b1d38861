import { sql } from "kysely";
import { changeBrandKitSchema } from "#contract/presets/presets.ts";
import { lockChanges } from "#database/lock-changes.ts";
import { type Changing, writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";
import { requireFreeName, requireVersion } from "./change-presets.ts";
import { toStoredKit } from "./store-brand-kit.ts";

/** Presets with these kits change immediately. Throws ClipmillError "invalid" or "conflict". */
export async function changeBrandKits({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const { version, name, settings } = parseInput(changeBrandKitSchema, body);
  await lockChanges(trx, "brand_kits");
  const stored = settings && (await toStoredKit(trx, settings));
  for (const id of ids) {
    const row = await trx.selectFrom("brand_kits").select("version").where("id", "=", id).executeTakeFirst();
    if (!row) continue;
    requireVersion("brand_kits", row.version, version);
    if (name !== undefined) await requireFreeName(trx, "brand_kits", { id, name });
    await trx
      .updateTable("brand_kits")
      .set({
        ...(name !== undefined && { name }),
        ...(stored !== undefined && { settings: stored, version: row.version + 1 }),
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .execute();
  }
  await writeAudit(trx, actor, { action: "brand_kits.change", subjects: ids });
}
