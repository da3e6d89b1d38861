import { addBrandKitSchema } from "#contract/presets/presets.ts";
import { lockChanges } from "#database/lock-changes.ts";
import { type Changing, writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";
import { requireFreeName } from "./change-presets.ts";
import { toStoredKit } from "./store-brand-kit.ts";

/** Throws ClipmillError "invalid" or "conflict". */
export async function addBrandKit({ trx, actor }: Changing, body: unknown): Promise<{ id: string }> {
  const { name, settings } = parseInput(addBrandKitSchema, body);
  await lockChanges(trx, "brand_kits");
  await requireFreeName(trx, "brand_kits", { id: null, name });
  const added = await trx
    .insertInto("brand_kits")
    .values({ name, settings: await toStoredKit(trx, settings) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "brand_kits.add", subjects: [added.id] });
  return added;
}
