import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { isDefault, pickSettings, SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";

/**
 * Serializes requests with the same key until the transaction ends. Throws ClipmillError "conflict" if another request
 * used the key.
 */
export async function findRequestedJob(
  trx: Transaction<Tables>,
  idempotencyKey: string,
  input: JobSettings,
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

/** Call it in the transaction that holds the key's lock. Deleting the job frees the key. */
export async function rememberRequest(
  trx: Transaction<Tables>,
  idempotencyKey: string,
  input: JobSettings,
  jobId: string,
): Promise<void> {
  const request = { idempotency_key: idempotencyKey, digest: digestOf(input), job_id: jobId };
  await trx.insertInto("job_requests").values(request).execute();
}

/** Settings without a column count only if not the default: an upgrade must not change a repeated request's digest. */
function digestOf(input: JobSettings): string {
  const names = SETTING_NAMES.filter((name) => settingOf(name).stored === "column" || !isDefault(name, input[name]));
  return sha256Of(JSON.stringify(pickSettings(input, names)), "base64url");
}
