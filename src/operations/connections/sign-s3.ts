import { sql } from "kysely";
import { connectionForBucket, explainNoConnection } from "#contract/connections/choose-connection.ts";
import type { S3BucketRequest, S3Request, SignedS3Request } from "#contract/connections/s3-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { authorityOf } from "#ground/public-address.ts";
import type { S3Credentials } from "#integrations/s3/presign-s3.ts";
import type { Context } from "../context.ts";
import { openConnectionSecret } from "./connection-secret.ts";
import { type ConnectionRow, selectConnections } from "./select-connections.ts";

type SigningContext = Pick<Context, "db" | "secrets" | "hosts">;

/** Signs a request with the connection of its bucket and records its use. Throws ClipmillError "bad_key". */
export async function signS3(context: SigningContext, request: S3BucketRequest): Promise<SignedS3Request> {
  const rows = await selectConnections(context.db).where("kind", "=", "s3").execute();
  const candidates = rows.map((row) => ({ buckets: row.settings.buckets, row }));
  const row = connectionForBucket(request.bucket, candidates)?.row;
  if (!row) throw new ClipmillError("bad_key", explainNoConnection(request.bucket, candidates));
  const signed = await signWith(context, row.name, credentialsOf(context, row), request);
  await recordUse(context, row.id);
  return signed;
}

/** Signs a request with given credentials. */
export async function signWith(
  { hosts }: Pick<Context, "hosts">,
  connection: string,
  credentials: S3Credentials,
  request: S3Request,
): Promise<SignedS3Request> {
  // Loaded on demand, because the SDK is large.
  const { presignS3 } = await import("#integrations/s3/presign-s3.ts");
  const url = await presignS3(credentials, request);
  const endpoint = authorityOf(credentials.endpoint ?? url.origin);
  return { url, baseUrl: hosts.privateSources.includes(endpoint) ? url.origin : null, endpoint, connection };
}

/** Returns a saved connection's credentials. Throws ClipmillError "bad_key" if its secret must be entered again. */
export function credentialsOf(context: Pick<Context, "secrets">, row: ConnectionRow): S3Credentials {
  const secret = openConnectionSecret(context, row);
  if (secret) return { ...row.settings, ...secret };
  throw new ClipmillError(
    "bad_key",
    `The secret of the connection "${row.name}" cannot be decrypted. Enter it again in Settings.`,
  );
}

/** At most once a minute, so that parallel downloads do not write all the time. */
async function recordUse({ db }: Pick<Context, "db">, id: string): Promise<void> {
  await db
    .updateTable("connections")
    .set({ last_used_at: sql<string>`now()` })
    .where("id", "=", id)
    .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
    .execute();
}
