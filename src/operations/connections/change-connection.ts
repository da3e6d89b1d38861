import { sql } from "kysely";
import { changeConnectionSchema } from "#contract/connections/connection-requests.ts";
import type { Connection, ConnectionKind } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { sealConnectionSecret } from "./connection-secret.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { readConnection } from "./list-connections.ts";
import { mergeSecret } from "./merge-secret.ts";
import { requireDistinct } from "./require-distinct.ts";

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
