import { type Kysely, sql } from "kysely";
import { authorityOf } from "#contract/authority-of.ts";
import { connectionForBucket, explainNoConnection } from "#contract/connections/choose-connection.ts";
import type { ConnectionUser } from "#contract/connections/connections.ts";
import type { S3BucketRequest, S3Request, SignedS3Request } from "#contract/connections/s3-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { requestS3 } from "#contract/sources/hosts/s3/request-s3.ts";
import type { Tables } from "#database/tables.ts";
import type { S3Credentials } from "#integrations/s3/presign-s3.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../../context.ts";
import { type OpenedConnection, openRow, recordUse } from "../open-connection.ts";
import { type RowOf, rowsOfKind, selectConnections } from "../select-connections.ts";
import { listJobLinks } from "./job-links.ts";
import type { KindOperations } from "./kind-operations.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";

export const s3Operations: KindOperations<"s3"> = {
  requireAllowed: (context, { endpoint }) => requireAllowedEndpoint(context, endpoint),
  requireDistinct(others, { buckets }) {
    for (const { name, settings } of others) {
      const bucket = buckets.find((one) => settings.buckets.includes(one));
      if (bucket === undefined) continue;
      throw new ClipmillError(
        "conflict",
        `The bucket "${bucket}" belongs to the connection "${name}". Remove it there first.`,
      );
    }
  },
  findJobs,
  async test(context, connection, signal) {
    const { buckets } = connection.settings;
    const access = {
      get: createSourceGet({ signal }),
      signS3: (request: S3Request) => signWith(context, connection, request),
    };
    if (buckets.length === 0) {
      try {
        const response = await requestS3({ action: "list-buckets" }, access);
        response.body.destroy();
      } catch (error) {
        // A key that is limited to some buckets may not list them all.
        if (!(error instanceof ClipmillError && error.code === "not_shared")) throw error;
        return {
          message: "The key is valid, but it does not have permission to list buckets. Add its buckets to test them.",
        };
      }
      return { message: "The connection works." };
    }
    for (const bucket of buckets) {
      const response = await requestS3({ action: "list", bucket, prefix: "", token: null, maxFiles: 1 }, access);
      response.body.destroy();
    }
    const message =
      buckets.length === 1
        ? "The connection can read the bucket."
        : `The connection can read all ${buckets.length} buckets.`;
    return { message };
  },
};

async function findJobs(db: Kysely<Tables>, rows: readonly RowOf<"s3">[]): Promise<Map<string, ConnectionUser[]>> {
  const users = new Map<string, ConnectionUser[]>();
  const candidates = rows.map(({ id, settings: { buckets } }) => ({ id, buckets }));
  const bucketOf = sql<string>`split_part(btrim(link), '/', 3)`;
  for (const { id, name, parts: buckets } of await listJobLinks(db, { pattern: "^s3://", part: bucketOf })) {
    const needed = new Set(buckets.map((bucket) => connectionForBucket(bucket, candidates)?.id));
    for (const connection of needed) {
      if (connection !== undefined) {
        users.set(connection, [...(users.get(connection) ?? []), { id, name, type: "job" }]);
      }
    }
  }
  return users;
}

type SigningContext = Pick<Context, "db" | "secrets" | "hosts">;

/** Signs with the bucket's connection. Throws ClipmillError "bad_key". */
export async function signS3(context: SigningContext, request: S3BucketRequest): Promise<SignedS3Request> {
  const rows = rowsOfKind(await selectConnections(context.db).where("kind", "=", "s3").execute(), "s3");
  const candidates = rows.map((row) => ({ buckets: row.settings.buckets, row }));
  const row = connectionForBucket(request.bucket, candidates)?.row;
  if (!row) throw new ClipmillError("bad_key", explainNoConnection(request.bucket, candidates));
  const signed = await signWith(context, openRow(context, row), request);
  await recordUse(context, row.id);
  return signed;
}

async function signWith(
  { hosts }: Pick<Context, "hosts">,
  { name, settings, secret }: OpenedConnection<"s3">,
  request: S3Request,
): Promise<SignedS3Request> {
  const credentials: S3Credentials = { ...settings, ...secret };
  // Loaded on demand, because the SDK is large.
  const { presignS3 } = await import("#integrations/s3/presign-s3.ts");
  const url = await presignS3(credentials, request);
  const endpoint = authorityOf(credentials.endpoint ?? url.origin);
  return { url, baseUrl: hosts.privateSources.includes(endpoint) ? url.origin : null, endpoint, connection: name };
}
