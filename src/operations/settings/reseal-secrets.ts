import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { SERVICE_KEYS } from "#contract/settings/settings.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { sealName } from "../accounts/second-step/factor.ts";
import type { Context } from "../context.ts";
import { type SecretBox, sealedVersion } from "./secret-box.ts";

/** Returns the newest sealed value's key version; 1 if nothing is sealed. */
export async function readSealingVersion({ db }: Pick<Context, "db">): Promise<number> {
  const keys = await sealedKeys(db).execute();
  const factors = await db.selectFrom("factors").select("sealed_secret").execute();
  const sealed = [...keys.map((row) => row.value), ...factors.map((row) => row.sealed_secret)];
  return Math.max(1, ...sealed.map(sealedVersion));
}

export type Resealed = { keys: number; secondSteps: number; removed: { keys: number; secondSteps: number } };

/**
 * Opens all sealed values with `from` and seals them with `to`. All or nothing, so it can be killed safely. Throws
 * ClipmillError "invalid" without changes if a value cannot be opened, unless `removesLost` removes it.
 */
export function resealSecrets(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  { from, to, removesLost = false }: { from: SecretBox; to: SecretBox; removesLost?: boolean },
): Promise<Resealed> {
  const reseal = (name: string, sealed: string): string | null => {
    try {
      return to.seal(name, from.open(name, sealed));
    } catch (error) {
      if (removesLost && error instanceof ClipmillError) return null;
      throw error;
    }
  };
  return db.transaction().execute(async (trx) => {
    const resealed: Resealed = { keys: 0, secondSteps: 0, removed: { keys: 0, secondSteps: 0 } };
    for (const { name, value: sealed } of await sealedKeys(trx).forUpdate().execute()) {
      const value = reseal(name, sealed);
      // Not saved as a new key: its date stays.
      if (value !== null) await trx.updateTable("settings").set({ value }).where("name", "=", name).execute();
      else await trx.deleteFrom("settings").where("name", "=", name).execute();
      (value === null ? resealed.removed : resealed).keys += 1;
    }
    const factors = await trx.selectFrom("factors").select(["id", "sealed_secret"]).forUpdate().execute();
    for (const { id, sealed_secret: sealed } of factors) {
      const value = reseal(sealName(id), sealed);
      if (value !== null) await trx.updateTable("factors").set({ sealed_secret: value }).where("id", "=", id).execute();
      else await trx.deleteFrom("factors").where("id", "=", id).execute();
      (value === null ? resealed.removed : resealed).secondSteps += 1;
    }
    await writeAudit(trx, actor, { action: "secrets.rotate" });
    return resealed;
  });
}

function sealedKeys(db: Kysely<Tables>) {
  return db.selectFrom("settings").select(["name", "value"]).where("name", "in", SERVICE_KEYS);
}
