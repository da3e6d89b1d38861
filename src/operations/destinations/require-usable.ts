import type { Kysely, Transaction } from "kysely";
import { DESTINATION_LIMITS, type DestinationKind } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

/** `id` is null for a new destination. Throws ClipmillError "conflict" for a name in use, or at the limit. */
export async function requireFreeName(
  trx: Transaction<Tables>,
  { id, name }: { id: string | null; name: string },
): Promise<void> {
  const others = await trx.selectFrom("destinations").select(["id", "name"]).execute();
  if (id === null && others.length >= DESTINATION_LIMITS.destinations) {
    throw new ClipmillError("conflict", "There can be at most 100 destinations. Remove one first.");
  }
  if (others.some((row) => row.id !== id && row.name.toLowerCase() === name.toLowerCase())) {
    throw new ClipmillError("conflict", `There is already a destination named "${name}". Choose another name.`);
  }
}

type Place = { kind: DestinationKind; connection_id: string | null; place: string };

/** Throws ClipmillError "invalid" for an unknown folder, or a removed or unsuitable connection. */
export async function requireUsablePlace(
  context: Pick<Context, "deliveryFolders">,
  db: Kysely<Tables>,
  { kind, connection_id: id, place }: Place,
): Promise<void> {
  if (kind === "folder") return void requireFolder(context, place);
  const row = await db.selectFrom("connections").select("kind").where("id", "=", id).executeTakeFirst();
  if (!row) throw new ClipmillError("invalid", "This connection no longer exists. Choose another one.");
  if (row.kind !== kind) throw new ClipmillError("invalid", "This connection is for another kind of destination.");
}

/** Returns the folder's path. Throws ClipmillError "invalid". */
export function requireFolder({ deliveryFolders }: Pick<Context, "deliveryFolders">, name: string): string {
  if (Object.hasOwn(deliveryFolders, name)) return deliveryFolders[name]!;
  throw new ClipmillError(
    "invalid",
    `There is no folder named "${name.slice(0, 40)}". Folders are set by DELIVERY_FOLDERS on the server and its workers.`,
  );
}
