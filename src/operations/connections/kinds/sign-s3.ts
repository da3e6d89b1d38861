import { connectionForBucket, explainNoConnection } from "#contract/connections/choose-connection.ts";
import type { S3BucketRequest, S3Request, SignedS3Request } from "#contract/connections/s3-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { authorityOf } from "#contract/authority-of.ts";
import type { S3Credentials } from "#integrations/s3/presign-s3.ts";
import type { Context } from "../../context.ts";
import { type OpenedConnection, openRow, recordUse } from "../open-connection.ts";
import { rowsOfKind, selectConnections } from "../select-connections.ts";

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

export async function signWith(
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
