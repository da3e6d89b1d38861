import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import {
  addConnectionSchema,
  changeConnectionSchema,
  removeConnectionSchema,
} from "#contract/connections/connection-requests.ts";
import {
  type Connection,
  CONNECTION_LIMITS,
  type ConnectionKind,
  type ConnectionUser,
  type SettingsOf,
} from "#contract/connections/connections.ts";
import type { SecretValues } from "#contract/connections/kinds/connection-kind.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import {
  openConnectionSecret,
  sealConnectionSecret,
  type ConnectionRow,
  rowsOfKind,
  selectConnections,
} from "./select-connections.ts";
import { findUsers } from "./find-users.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { readConnection } from "./list-connections.ts";

/** Replaces all fields. Throws ClipmillError "invalid", "not_found" or "conflict". */
export async function changeConnection(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  body: unknown,
): Promise<Connection> {
  const { id, version, ...fields } = parseInput(changeConnectionSchema, body);
  const { kind, name, settings } = fields;
  operationsOf<ConnectionKind>(kind).requireAllowed?.(context, settings);
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "connections");
    const row = await trx
      .selectFrom("connections")
      .selectAll()
      .where("id", "=", id)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (!row) throw connectionGone();
    if (row.version !== version) throw changedElsewhere();
    await requireDistinct(trx, { id, kind, name, settings });
    const secret = mergeSecret(context, row, fields);
    await trx
      .updateTable("connections")
      .set({
        name,
        settings: JSON.stringify(settings),
        version: version + 1,
        updated_at: sql<string>`now()`,
        ...(secret && { sealed_secret: sealConnectionSecret(context, id, secret) }),
      })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, context.actor, { action: "connections.change", subjects: [id] });
  });
  const changed = await readConnection(context, id);
  if (!changed) throw connectionGone();
  return changed;
}

export function connectionGone(): ClipmillError {
  return new ClipmillError("not_found", "This connection no longer exists.");
}

function changedElsewhere(): ClipmillError {
  return new ClipmillError(
    "conflict",
    "This connection was changed elsewhere. Reopen it, check its current values, then make your change again.",
  );
}

/** Throws ClipmillError "invalid" or "conflict". */
export async function addConnection(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  body: unknown,
): Promise<Connection> {
  const { kind, name, settings, secret } = parseInput(addConnectionSchema, body);
  const problem = rulesOf<ConnectionKind>(kind).problemOfSecret(secret, settings);
  if (problem !== null) throw new ClipmillError("invalid", problem);
  operationsOf<ConnectionKind>(kind).requireAllowed?.(context, settings);
  const id = randomUUID();
  await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "connections");
    await requireDistinct(trx, { id: null, kind, name, settings });
    const sealed_secret = sealConnectionSecret(context, id, secret);
    await trx
      .insertInto("connections")
      .values({ id, kind, name, settings: JSON.stringify(settings), sealed_secret })
      .execute();
    await writeAudit(trx, context.actor, { action: "connections.add", subjects: [id] });
  });
  return (await readConnection(context, id))!;
}

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

type Candidate = { id: string | null; kind: ConnectionKind; name: string; settings: SettingsOf[ConnectionKind] };

/** `id` is null for a new connection. Throws ClipmillError "conflict" (name or bucket in use, or the limit). */
async function requireDistinct(db: Kysely<Tables>, { id, kind, name, settings }: Candidate): Promise<void> {
  const others = (await selectConnections(db).execute()).filter((row) => row.id !== id);
  if (id === null && others.length >= CONNECTION_LIMITS.connections) {
    throw new ClipmillError("conflict", "There can be at most 100 connections. Remove one first.");
  }
  const key = name.toLowerCase();
  if (others.some((row) => row.name.toLowerCase() === key)) {
    throw new ClipmillError("conflict", `There is already a connection named "${name}". Choose another name.`);
  }
  operationsOf<ConnectionKind>(kind).requireDistinct?.(rowsOfKind(others, kind), settings);
}

type Changed = { kind: ConnectionKind; settings: SettingsOf[ConnectionKind]; secret: SecretValues };

/**
 * Null if there are neither typed nor saved secrets. Throws ClipmillError "invalid" if one is missing. A changed server
 * never receives saved secrets.
 */
export function mergeSecret(
  context: Pick<Context, "secrets">,
  row: ConnectionRow,
  { kind, settings, secret: typed }: Changed,
): SecretValues | null {
  const rules = rulesOf<ConnectionKind>(kind);
  const hasMoved = rules.placeOf !== undefined && rules.placeOf(row.settings) !== rules.placeOf(settings);
  const saved = hasMoved ? {} : openConnectionSecret(context, row);
  if (saved === null && Object.keys(typed).length === 0) return null;
  const merged = rules.mergeSecret?.(saved ?? {}, typed) ?? { ...saved, ...typed };
  const problem = rules.problemOfSecret(merged, settings);
  if (problem === null) return merged;
  throw new ClipmillError(
    "invalid",
    hasMoved ? `The server changed, so its saved secret is not used. ${problem}` : problem,
  );
}
