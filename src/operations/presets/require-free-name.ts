import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { PRESET_LIMITS } from "#contract/presets/presets.ts";
import type { Tables } from "#database/tables.ts";

type NamedTable = "presets" | "brand_kits";

const KINDS = {
  presets: { noun: "preset", nouns: "presets", most: PRESET_LIMITS.presets },
  brand_kits: { noun: "brand kit", nouns: "brand kits", most: PRESET_LIMITS.brandKits },
} as const satisfies Record<NamedTable, object>;

/** `id` is null for a new row. Throws ClipmillError "conflict" for a name in use, or at the limit. */
export async function requireFreeName(
  trx: Transaction<Tables>,
  table: NamedTable,
  { id, name }: { id: string | null; name: string },
): Promise<void> {
  const others = (await trx.selectFrom(table).select(["id", "name"]).execute()).filter((row) => row.id !== id);
  const { noun, nouns, most } = KINDS[table];
  if (id === null && others.length >= most) {
    throw new ClipmillError("conflict", `There can be at most ${most} ${nouns}. Delete one first.`);
  }
  if (others.some((row) => row.name.toLowerCase() === name.toLowerCase())) {
    throw new ClipmillError("conflict", `There is already a ${noun} named "${name}". Choose another name.`);
  }
}

/** Throws ClipmillError "conflict" for an outdated version. */
export function requireVersion(table: NamedTable, stored: number, given: number | undefined): void {
  if (given === undefined || given === stored) return;
  throw new ClipmillError(
    "conflict",
    `This ${KINDS[table].noun} was changed elsewhere. Check its current values, then make your change again.`,
  );
}
