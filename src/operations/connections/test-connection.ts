import type { z } from "zod";
import { testFieldsSchema, testSavedSchema } from "#contract/connections/connection-requests.ts";
import type { TestConnectionResponse } from "#contract/connections/connections.ts";
import type { S3Request } from "#contract/connections/s3-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { requestS3 } from "#contract/sources/hosts/s3/request-s3.ts";
import type { S3Credentials } from "#integrations/s3/presign-s3.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { connectionGone } from "./change-connection.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";
import { type ConnectionRow, selectConnections } from "./select-connections.ts";
import { credentialsOf, signWith } from "./sign-s3.ts";

const TIMEOUT_MS = 15_000;

type Tested = { name: string; credentials: S3Credentials; buckets: string[] };
type TestContext = Pick<Context, "db" | "secrets" | "hosts">;

/**
 * Tests saved or given credentials with a request to the store, and returns the result as a sentence. Throws
 * ClipmillError "invalid" for an invalid request.
 */
export async function testConnection(context: TestContext, body: unknown): Promise<TestConnectionResponse> {
  const isTyped = typeof body === "object" && body !== null && "kind" in body;
  const read = isTyped
    ? useFields(context, parseInput(testFieldsSchema, body))
    : useSaved(context, parseInput(testSavedSchema, body).id);
  try {
    return { isValid: true, message: await askStore(context, await read()) };
  } catch (error) {
    if (error instanceof ClipmillError) return { isValid: false, message: error.message };
    throw error;
  }
}

function useSaved(context: TestContext, id: string) {
  return async (): Promise<Tested> => {
    const row = await findConnection(context, id);
    return { name: row.name, credentials: credentialsOf(context, row), buckets: row.settings.buckets };
  };
}

function useFields(context: TestContext, { id, name, buckets, ...fields }: z.output<typeof testFieldsSchema>) {
  return async (): Promise<Tested> => {
    requireAllowedEndpoint(context, fields.endpoint);
    const typed = fields.secret_access_key || null;
    const saved = id && !typed ? credentialsOf(context, await findConnection(context, id)).secret_access_key : null;
    const secret = typed ?? saved;
    if (secret === null) throw new ClipmillError("invalid", "Enter the secret access key first.");
    return { name, credentials: { ...fields, secret_access_key: secret }, buckets };
  };
}

async function findConnection({ db }: TestContext, id: string): Promise<ConnectionRow> {
  const row = await selectConnections(db).where("id", "=", id).executeTakeFirst();
  if (!row) throw connectionGone();
  return row;
}

/** Throws ClipmillError with the store's refusal. */
async function askStore(context: TestContext, { name, credentials, buckets }: Tested): Promise<string> {
  const access = {
    get: createSourceGet({ signal: AbortSignal.timeout(TIMEOUT_MS) }),
    signS3: (request: S3Request) => signWith(context, name, credentials, request),
  };
  if (buckets.length === 0) {
    try {
      const answer = await requestS3({ action: "list-buckets" }, access);
      answer.body.destroy();
    } catch (error) {
      // A key that is limited to some buckets may not list them all.
      if (!(error instanceof ClipmillError && error.code === "not_shared")) throw error;
      return "The key is accepted, but it may not list buckets. Add its buckets to test them.";
    }
    return "The connection works.";
  }
  for (const bucket of buckets) {
    const answer = await requestS3({ action: "list", bucket, prefix: "", token: null, maxFiles: 1 }, access);
    answer.body.destroy();
  }
  return buckets.length === 1
    ? "The connection can read the bucket."
    : `The connection can read all ${buckets.length} buckets.`;
}
