import { randomUUID } from "node:crypto";
import { addConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { Connection } from "#contract/connections/connections.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { sealConnectionSecret } from "./connection-secret.ts";
import { readConnection } from "./list-connections.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";
import { lockConnections, requireDistinct } from "./require-distinct.ts";

/** Adds a connection and returns it. Throws ClipmillError "invalid", and "conflict" for a name or bucket in use. */
export async function addConnection(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  body: unknown,
): Promise<Connection> {
  const { kind, name, secret_access_key, ...settings } = parseInput(addConnectionSchema, body);
  requireAllowedEndpoint(context, settings.endpoint);
  const id = randomUUID();
  await context.db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    await requireDistinct(trx, { id: null, name, buckets: settings.buckets });
    const sealed_secret = sealConnectionSecret(context, id, { secret_access_key });
    await trx
      .insertInto("connections")
      .values({ id, kind, name, settings: JSON.stringify(settings), sealed_secret })
      .execute();
    await writeAudit(trx, context.actor, { action: "connections.add", subjects: [id] });
  });
  return (await readConnection(context, id))!;
}
