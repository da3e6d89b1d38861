import { removeDestinationSchema } from "#contract/destinations/destination-requests.ts";
import type { DestinationUser } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { cancelDeliveries } from "../deliveries/change-delivery.ts";
import { parseInput } from "../parse-input.ts";
import { findDestinationUsers } from "./select-destinations.ts";

/**
 * A missing destination counts as removed. Without `force`, throws ClipmillError "conflict" while unfinished jobs,
 * deliveries or presets use it; with it, cancels the deliveries.
 */
export async function removeDestination(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  body: unknown,
): Promise<void> {
  const { id, force } = parseInput(removeDestinationSchema, body);
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "destinations");
    const row = await trx.selectFrom("destinations").select("id").where("id", "=", id).executeTakeFirst();
    if (!row) return;
    const users = force ? [] : ((await findDestinationUsers(trx)).get(id) ?? []);
    if (users.length > 0) throw stillUsed(users);
    await cancelDeliveries(context, trx, { destinationId: id }, "Its destination was removed.");
    await writeAudit(trx, context.actor, { action: "destinations.delete", subjects: [id] });
    await trx.deleteFrom("destinations").where("id", "=", id).execute();
  });
}

function stillUsed(users: readonly DestinationUser[]): ClipmillError {
  const [first, ...others] = users;
  const who =
    others.length === 0 ? `The ${first!.type} "${first!.name}" delivers` : `${users.length} jobs and presets deliver`;
  return new ClipmillError(
    "conflict",
    `${who} to this destination; deliveries in progress would be canceled. To remove it anyway, set force to true.`,
    { facts: { users: users.slice(0, 10).map((user) => user.id) } },
  );
}
