/** Create requests that may come twice: a client that got no answer sends the same again. */
import { sql, type Transaction } from "kysely";
import type { CreateJobInput } from "#contract/create-job.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";

/**
 * The id of the job that this key has made, or null. Requests with one key wait for one another until the
 * transaction ends. Throws ClipmillError "conflict" when the key came with another job.
 */
export async function findRequestedJob(
  trx: Transaction<Tables>,
  idempotencyKey: string,
  input: CreateJobInput,
): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${idempotencyKey}, 0))`.execute(trx);
  const request = await trx
    .selectFrom("job_requests")
    .select(["job_id", "digest"])
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  if (!request) return null;
  if (request.digest === digestOf(input)) return request.job_id;
  throw new ClipmillError("conflict", "This idempotency key was used for another job.");
}

export async function rememberRequest(
  trx: Transaction<Tables>,
  idempotencyKey: string,
  input: CreateJobInput,
  jobId: string,
): Promise<void> {
  const request = { idempotency_key: idempotencyKey, digest: digestOf(input), job_id: jobId };
  await trx.insertInto("job_requests").values(request).execute();
}

/** Fields of a parsed request come in the schema's order, so that the same job has the same digest. */
function digestOf(input: CreateJobInput): string {
  return sha256Of(JSON.stringify(input), "base64url");
}
