import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import { listSealedValues } from "../../settings/sealed-values.ts";
import type { SecretBox } from "../../settings/secret-box.ts";

export async function countUnopenedSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  return (await listSealedValues(db)).filter(({ name, sealed }) => !opens(box, name, sealed)).length;
}

function opens(box: SecretBox, name: string, value: string): boolean {
  try {
    box.open(name, value);
    return true;
  } catch {
    return false;
  }
}
