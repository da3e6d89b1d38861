/** One attempt at a time runs; its response is kept for a day, a created job's key as long as the job. */
import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

const KEPT_HOURS = 24;
/** Without a touch for this long, the attempt's server counts as killed. */
const STALE_SECONDS = 20;

export type KeyedRequest = { accountId: string; key: string; digest: string };
export type Attempt = KeyedRequest & { id: string };

/**
 * Returns a new attempt, or the kept response. Throws ClipmillError "key_reused" (another request used the key) or
 * "in_progress" (on any server).
 */
export async function claimKey(
  db: Kysely<Tables>,
  request: KeyedRequest,
): Promise<{ attempt: Attempt } | { response: string }> {
  const { accountId, key, digest } = request;
  await forgetOldKey(db, request);
  const claimed = await db
    .insertInto("idempotent_requests")
    .values({ account_id: accountId, idempotency_key: key, digest })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "idempotency_key"])
        .doUpdateSet({ attempt: sql`gen_random_uuid()`, touched_at: sql`now()` })
        .where("idempotent_requests.answer", "is", null)
        .where("idempotent_requests.digest", "=", digest)
        .where("idempotent_requests.touched_at", "<", sql<string>`now() - make_interval(secs => ${STALE_SECONDS})`),
    )
    .returning("attempt")
    .executeTakeFirst();
  if (claimed) return { attempt: { ...request, id: claimed.attempt } };
  const earlier = await findSameRequest(db, request);
  if (typeof earlier?.answer === "string") return { response: earlier.answer };
  // Also if the first request has just failed and its row was deleted.
  throw new ClipmillError("in_progress", "The first request with this Idempotency-Key is still running.", {
    retryAfterSeconds: 2,
  });
}

/**
 * Returns the job that the key created, or null if the caller creates one and calls `keepJob` in this transaction.
 * Waits for other transactions with the key. Throws ClipmillError "key_reused".
 */
export async function claimKeyForJob(trx: Transaction<Tables>, request: KeyedRequest): Promise<string | null> {
  await forgetOldKey(trx, request);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("idempotent_requests")
    .values({ account_id: request.accountId, idempotency_key: request.key, digest: request.digest })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 0n) return null;
  const earlier = await findSameRequest(trx, request);
  // Without a row, its job was deleted just now.
  return earlier ? earlier.job_id : await claimKeyForJob(trx, request);
}

/** Deleting the job frees the key. */
export async function keepJob(trx: Transaction<Tables>, request: KeyedRequest, jobId: string): Promise<void> {
  await trx
    .updateTable("idempotent_requests")
    .set({ job_id: jobId })
    .where("account_id", "=", request.accountId)
    .where("idempotency_key", "=", request.key)
    .execute();
}

/** Throws ClipmillError "in_progress" if another attempt took over, which rolls `db` back. */
export async function keepResponse(db: Kysely<Tables>, attempt: Attempt, response: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("idempotent_requests")
    .set({ answer: response })
    .where("account_id", "=", attempt.accountId)
    .where("idempotency_key", "=", attempt.key)
    .where("attempt", "=", attempt.id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new ClipmillError("in_progress", "Another request with this Idempotency-Key took over.", {
      retryAfterSeconds: 2,
    });
  }
}

/** Keeps the attempt from going stale. */
export async function touchAttempt(db: Kysely<Tables>, attempt: Attempt): Promise<void> {
  await db
    .updateTable("idempotent_requests")
    .set({ touched_at: sql<string>`now()` })
    .where("attempt", "=", attempt.id)
    .where("account_id", "=", attempt.accountId)
    .where("idempotency_key", "=", attempt.key)
    .execute();
}

/** Does nothing if the response is kept already. */
export async function releaseKey(db: Kysely<Tables>, attempt: Attempt): Promise<void> {
  await db
    .deleteFrom("idempotent_requests")
    .where("attempt", "=", attempt.id)
    .where("account_id", "=", attempt.accountId)
    .where("idempotency_key", "=", attempt.key)
    .where("answer", "is", null)
    .execute();
}

export async function deleteOldResponses({ db }: { db: Kysely<Tables> }, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_HOURS * 3_600_000).toISOString();
  await db.deleteFrom("idempotent_requests").where("created_at", "<", oldest).where("job_id", "is", null).execute();
}

async function forgetOldKey(db: Kysely<Tables>, { accountId, key }: KeyedRequest): Promise<void> {
  await db
    .deleteFrom("idempotent_requests")
    .where("account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .where("job_id", "is", null)
    .where("created_at", "<", sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
}

async function findSameRequest(db: Kysely<Tables>, { accountId, key, digest }: KeyedRequest) {
  const earlier = await db
    .selectFrom("idempotent_requests")
    .select(["digest", "answer", "job_id"])
    .where("account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  if (!earlier || earlier.digest === digest) return earlier;
  throw new ClipmillError("key_reused", "This Idempotency-Key was used for another request.");
}
