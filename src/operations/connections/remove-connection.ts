import { removeConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { ConnectionUser } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { findUsers } from "./find-users.ts";
import { selectConnections } from "./select-connections.ts";

/** A missing connection counts as removed. Throws ClipmillError "conflict" without `force` while something needs it. */
export async function removeConnection(context: Pick<Context, "db"> & ActorContext, body: unknown): Promise<void> {
  const { id, force } = parseInput(removeConnectionSchema, body);
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "connections");
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
  const who = others.length === 0 ? `${describeUser(first!)} needs` : `${describeUsers(users)} need`;
  return new ClipmillError(
    "conflict",
    `${who} this connection and would fail without it. To remove it anyway, set force to true.`,
    { facts: { userIds: users.slice(0, 10).map((user) => user.id) } },
  );
}

const SINGULAR: Record<ConnectionUser["type"], string> = {
  job: "job",
  destination: "destination",
  watch_folder: "watch folder",
};

function describeUser({ type, name }: ConnectionUser): string {
  return `The ${SINGULAR[type]} "${name}"`;
}

function describeUsers(users: ConnectionUser[]): string {
  const [{ type }] = users as [ConnectionUser];
  return users.every((user) => user.type === type)
    ? `${users.length} ${SINGULAR[type]}s`
    : `${users.length} jobs, destinations and watch folders`;
}
