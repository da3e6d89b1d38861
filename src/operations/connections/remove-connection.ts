import { removeConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { ConnectionUser } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { findUsers } from "./find-users.ts";
import { lockConnections } from "./require-distinct.ts";
import { selectConnections } from "./select-connections.ts";

/**
 * Removes a connection; a missing one counts as removed. Throws ClipmillError "conflict" without `force` while
 * unfinished jobs need it.
 */
export async function removeConnection(context: Pick<Context, "db"> & ActorContext, body: unknown): Promise<void> {
  const { id, force } = parseInput(removeConnectionSchema, body);
  await context.db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    const rows = await selectConnections(trx).execute();
    if (!rows.some((row) => row.id === id)) return;
    const users = force ? [] : ((await findUsers(trx, rows)).get(id) ?? []);
    if (users.length > 0) throw stillNeeded(users);
    await writeAudit(trx, context.actor, { action: "connections.delete", subjects: [id] });
    await trx.deleteFrom("connections").where("id", "=", id).execute();
  });
}

function stillNeeded(users: ConnectionUser[]): ClipmillError {
  const [first, ...others] = users;
  const who = others.length === 0 ? `The job "${first!.name}" needs` : `${users.length} jobs need`;
  return new ClipmillError(
    "conflict",
    `${who} this connection; videos that are not downloaded yet would fail. To remove it anyway, set force to true.`,
    { facts: { jobIds: users.slice(0, 10).map((user) => user.id) } },
  );
}
