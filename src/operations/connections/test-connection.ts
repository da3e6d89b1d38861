import type { z } from "zod";
import { testFieldsSchema, testSavedSchema } from "#contract/connections/connection-requests.ts";
import type { ConnectionKind, TestConnectionResponse } from "#contract/connections/connections.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { connectionGone, mergeSecret } from "./change-connection.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { type OpenedConnection, openRow } from "./open-connection.ts";
import { type ConnectionRow, selectConnections } from "./select-connections.ts";

const TIMEOUT_MS = 15_000;

type TestContext = Pick<Context, "db" | "secrets" | "hosts">;

/** Returns the result as a sentence. Throws ClipmillError "invalid". */
export async function testConnection(context: TestContext, body: unknown): Promise<TestConnectionResponse> {
  const isTyped = typeof body === "object" && body !== null && "kind" in body;
  const read = isTyped
    ? useFields(context, parseInput(testFieldsSchema, body))
    : useSaved(context, parseInput(testSavedSchema, body).id);
  try {
    const connection = await read();
    const operations = operationsOf<ConnectionKind>(connection.kind);
    return { isValid: true, ...(await operations.test(context, connection, AbortSignal.timeout(TIMEOUT_MS))) };
  } catch (error) {
    if (error instanceof ClipmillError) return { isValid: false, message: error.message };
    throw error;
  }
}

function useSaved(context: TestContext, id: string) {
  return async () => openRow<ConnectionKind>(context, await findConnection(context, id));
}

function useFields(context: TestContext, { id, ...fields }: z.output<typeof testFieldsSchema>) {
  return async (): Promise<OpenedConnection> => {
    const { kind, name, settings } = fields;
    operationsOf<ConnectionKind>(kind).requireAllowed?.(context, settings);
    const row = id ? await findConnection(context, id) : null;
    if (row && row.kind !== kind) throw connectionGone();
    const secret = row ? (mergeSecret(context, row, fields) ?? {}) : fields.secret;
    const problem = rulesOf<ConnectionKind>(kind).problemOfSecret(secret, settings);
    if (problem !== null) throw new ClipmillError("invalid", problem);
    return { kind, name, settings, secret } as OpenedConnection;
  };
}

async function findConnection({ db }: TestContext, id: string): Promise<ConnectionRow> {
  const row = await selectConnections(db).where("id", "=", id).executeTakeFirst();
  if (!row) throw connectionGone();
  return row;
}
