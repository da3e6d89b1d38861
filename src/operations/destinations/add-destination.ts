import { addDestinationSchema } from "#contract/destinations/destination-requests.ts";
import type { Destination } from "#contract/destinations/destinations.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { readDestination } from "./list-destinations.ts";
import { requireFreeName, requireUsablePlace } from "./require-usable.ts";

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
