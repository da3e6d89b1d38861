import { ClipmillError } from "#contract/errors.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { listSealedValues, removeSealedValue, replaceSealedValue, type SealedKind } from "./sealed-values.ts";
import { type SecretBox, sealedVersion } from "./secret-box.ts";

/** Returns the newest key version; 1 if nothing is sealed. */
export async function readSealingVersion({ db }: Pick<Context, "db">): Promise<number> {
  return Math.max(1, ...(await listSealedValues(db)).map(({ sealed }) => sealedVersion(sealed)));
}

type Counts = Record<SealedKind, number>;
export type Resealed = Counts & { removed: Counts };

const NONE: Counts = { keys: 0, secondSteps: 0, connections: 0, webhooks: 0 };

/** All or nothing. Throws ClipmillError "invalid" if a value cannot be opened, unless `removesLost` removes it. */
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
    const resealed: Resealed = { ...NONE, removed: { ...NONE } };
    for (const value of await listSealedValues(trx, { locks: true })) {
      const sealed = reseal(value.name, value.sealed);
      if (sealed !== null) await replaceSealedValue(trx, value, sealed);
      else await removeSealedValue(trx, value);
      (sealed === null ? resealed.removed : resealed)[value.kind] += 1;
    }
    await writeAudit(trx, actor, { action: "secrets.rotate" });
    return resealed;
  });
}
