import { type Kysely, sql, type Transaction } from "kysely";
import { addDestinationSchema, changeDestinationSchema } from "#contract/destinations/destination-requests.ts";
import { type Destination, DESTINATION_LIMITS, type DestinationKind } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { errorOf } from "../jobs/create/snapshot-sets.ts";
import { parseInput } from "../parse-input.ts";
import { readDestination } from "./select-destinations.ts";

/**
 * Replaces all fields. Deliveries in progress keep names and folder, and start over if the connection or place has
 * changed. Throws ClipmillError "invalid", "not_found" or "conflict".
 */
export async function changeDestination(
  context: Pick<Context, "db" | "deliveryFolders"> & ActorContext,
  body: unknown,
): Promise<Destination> {
  const { id, version, kind, name, connection_id, enabled, ...settings } = parseInput(changeDestinationSchema, body);
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "destinations");
    const row = await trx
      .selectFrom("destinations")
      .select("version")
      .where("id", "=", id)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (!row) throw destinationGone();
    if (row.version !== version) throw changedElsewhere();
    await requireFreeName(trx, { id, name });
    await requireUsablePlace(context, trx, { kind, connection_id, place: settings.place });
    await trx
      .updateTable("destinations")
      .set({
        name,
        connection_id,
        enabled,
        settings: JSON.stringify(settings),
        version: version + 1,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, context.actor, { action: "destinations.change", subjects: [id] });
  });
  const changed = await readDestination(context, id);
  if (!changed) throw destinationGone();
  return changed;
}

export function destinationGone(): ClipmillError {
  return new ClipmillError("not_found", "This destination no longer exists.");
}

function changedElsewhere(): ClipmillError {
  return new ClipmillError(
    "conflict",
    "This destination was changed elsewhere. Reopen it, check its current values, then make your change again.",
  );
}

/** Throws ClipmillError "invalid" or "conflict". */
export async function addDestination(
  context: Pick<Context, "db" | "deliveryFolders"> & ActorContext,
  body: unknown,
): Promise<Destination> {
  const { kind, name, connection_id, enabled, ...settings } = parseInput(addDestinationSchema, body);
  const id = await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "destinations");
    await requireFreeName(trx, { id: null, name });
    await requireUsablePlace(context, trx, { kind, connection_id, place: settings.place });
    const added = await trx
      .insertInto("destinations")
      .values({ kind, name, connection_id, enabled, settings: JSON.stringify(settings) })
      .returning("id")
      .executeTakeFirstOrThrow();
    await writeAudit(trx, context.actor, { action: "destinations.add", subjects: [added.id] });
    return added.id;
  });
  return (await readDestination(context, id))!;
}

/** Locks the destinations. Throws ClipmillError "invalid" if one does not exist. */
export async function requireDestinations(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await trx.selectFrom("destinations").select("id").where("id", "in", ids).forShare().execute();
  if (found.length === new Set(ids).size) return;
  throw errorOf({
    title: "Destination Not Found",
    description: "A destination of this job no longer exists. Remove it from the job, or choose another one.",
  });
}

/**
 * After a restore: files posted since the backup would be posted again, and nothing recognizes a post that only the lost
 * database knew. Returns the number of destinations.
 */
export async function turnOffPosting(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("destinations")
    .set((eb) => ({ enabled: false, version: eb("version", "+", 1), updated_at: sql<string>`now()` }))
    .where("kind", "=", "postiz")
    .where("enabled", "=", true)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** `id` is null for a new destination. Throws ClipmillError "conflict" for a name in use, or at the limit. */
async function requireFreeName(
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
