import { randomUUID } from "node:crypto";
import { addConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { Connection, ConnectionKind } from "#contract/connections/connections.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { sealConnectionSecret } from "./connection-secret.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { readConnection } from "./list-connections.ts";
import { requireDistinct } from "./require-distinct.ts";

/** Throws ClipmillError "invalid" or "conflict". */
export async function addConnection(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  body: unknown,
): Promise<Connection> {
  const { kind, name, settings, secret } = parseInput(addConnectionSchema, body);
  const fault = rulesOf<ConnectionKind>(kind).faultOfSecret(secret, settings);
  if (fault !== null) throw new ClipmillError("invalid", fault);
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
