import { sql } from "kysely";
import { changeDestinationSchema } from "#contract/destinations/destination-requests.ts";
import type { Destination } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { readDestination } from "./list-destinations.ts";
import { requireFreeName, requireUsablePlace } from "./require-usable.ts";

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
