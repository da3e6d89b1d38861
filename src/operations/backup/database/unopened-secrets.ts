import type { Kysely } from "kysely";
import { SERVICE_KEYS } from "#contract/settings/settings.ts";
import type { Tables } from "#database/tables.ts";
import { sealName } from "../../accounts/second-step/factor.ts";
import type { SecretBox } from "../../settings/secret-box.ts";

/** Counts saved keys and second steps sealed under another secret. */
export async function countUnopenedSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  const keys = await db.selectFrom("settings").select(["name", "value"]).where("name", "in", SERVICE_KEYS).execute();
  const factors = await db.selectFrom("factors").select(["id", "sealed_secret"]).execute();
  const sealed = [
    ...keys.map(({ name, value }) => [name, value] as const),
    ...factors.map(({ id, sealed_secret: value }) => [sealName(id), value] as const),
  ];
  return sealed.filter(([name, value]) => !opens(box, name, value)).length;
}

function opens(box: SecretBox, name: string, value: string): boolean {
  try {
    box.open(name, value);
    return true;
  } catch {
    return false;
  }
}
