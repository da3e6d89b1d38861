import { sql } from "kysely";
import { changeConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { Connection } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { sealConnectionSecret } from "./connection-secret.ts";
import { readConnection } from "./list-connections.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";
import { lockConnections, requireDistinct } from "./require-distinct.ts";

/**
 * Replaces a connection's fields and returns it. Throws ClipmillError "invalid", "not_found", and "conflict" if it was
 * changed elsewhere, or for a name or bucket in use.
 */
export async function changeConnection(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  body: unknown,
): Promise<Connection> {
  const { id, version, kind, name, secret_access_key, ...settings } = parseInput(changeConnectionSchema, body);
  requireAllowedEndpoint(context, settings.endpoint);
  await context.db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    const row = await trx
      .selectFrom("connections")
      .select("version")
      .where("id", "=", id)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (!row) throw connectionGone();
    if (row.version !== version) throw changedElsewhere();
    await requireDistinct(trx, { id, name, buckets: settings.buckets });
    await trx
      .updateTable("connections")
      .set({
        name,
        settings: JSON.stringify(settings),
        version: version + 1,
        updated_at: sql<string>`now()`,
        ...(secret_access_key && { sealed_secret: sealConnectionSecret(context, id, { secret_access_key }) }),
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
    "This connection was changed elsewhere. Close it, check its current values, then make your change again.",
  );
}
