import type { Kysely } from "kysely";
import { SERVICE_KEYS } from "#contract/settings.ts";
import type { Tables } from "#database/tables.ts";
import { sealName } from "../accounts/factor.ts";
import type { Context } from "../context.ts";
import { type SecretBox, sealedVersion } from "./secret-box.ts";

/** The version of the key that the newest sealed text has; 1 when nothing is sealed. */
export async function readSealingVersion({ db }: Pick<Context, "db">): Promise<number> {
  const keys = await sealedKeys(db).execute();
  const factors = await db.selectFrom("factors").select("sealed_secret").execute();
  const sealed = [...keys.map((row) => row.value), ...factors.map((row) => row.sealed_secret)];
  return Math.max(1, ...sealed.map(sealedVersion));
}

/**
 * Seals everything that is sealed anew: what `from` opens, `to` seals. All or nothing, so it may be killed at any moment.
 * Throws ClipmillError "invalid" when something cannot be opened; nothing has changed then.
 */
export function resealSecrets(
  { db }: Pick<Context, "db">,
  from: SecretBox,
  to: SecretBox,
): Promise<{ keys: number; secondSteps: number }> {
  return db.transaction().execute(async (trx) => {
    const keys = await sealedKeys(trx).forUpdate().execute();
    for (const { name, value } of keys) {
      const resealed = to.seal(name, from.open(name, value));
      // Not as a new key: what is told of it, and since when it is there, stays.
      await trx.updateTable("settings").set({ value: resealed }).where("name", "=", name).execute();
    }
    const factors = await trx.selectFrom("factors").select(["id", "sealed_secret"]).forUpdate().execute();
    for (const { id, sealed_secret: sealed } of factors) {
      const resealed = to.seal(sealName(id), from.open(sealName(id), sealed));
      await trx.updateTable("factors").set({ sealed_secret: resealed }).where("id", "=", id).execute();
    }
    return { keys: keys.length, secondSteps: factors.length };
  });
}

function sealedKeys(db: Kysely<Tables>) {
  return db.selectFrom("settings").select(["name", "value"]).where("name", "in", SERVICE_KEYS);
}
