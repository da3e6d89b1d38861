/** Limits of one token, far above what its workers need, so that a stolen one cannot fill the database. */
import { type Kysely, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { deleteEndedLoans } from "#queue/task-table.ts";
import { isLost } from "../fleet/list-workers.ts";

export const TOKEN_LIMITS = { workers: 1_000, claims: 5_000, waits: 1_000 } as const;

/** Call it after recording a claim. Throws ClipmillError "too_many" above the limit. */
export async function requireRoomForClaim(db: Kysely<Tables>, tokenId: string): Promise<void> {
  const isFull = async () => (await countOf(db, "worker_claims", tokenId)) > TOKEN_LIMITS.claims;
  if (!(await isFull())) return;
  await deleteEndedLoans(db);
  if (await isFull()) throw tooMany(`have claimed ${TOKEN_LIMITS.claims.toLocaleString("en")} videos`);
}

/** Call it before adding a worker. Throws ClipmillError "too_many" at the limit. */
export async function requireRoomForWorker(db: Kysely<Tables>, tokenId: string): Promise<void> {
  const isFull = async () => (await countOf(db, "workers", tokenId)) >= TOKEN_LIMITS.workers;
  if (!(await isFull())) return;
  await db.deleteFrom("workers").where("token_id", "=", tokenId).where(isLost).execute();
  if (await isFull()) throw tooMany(`are ${TOKEN_LIMITS.workers.toLocaleString("en")}`);
}

async function countOf(db: Kysely<Tables>, table: "worker_claims" | "workers", tokenId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(sql<number>`count(*)::int`.as("count"))
    .where("token_id", "=", tokenId)
    .executeTakeFirstOrThrow();
  return count;
}

function tooMany(what: string): ClipmillError {
  return new ClipmillError("too_many", `The workers with this token ${what}, the most that a token allows.`, {
    retryAfterSeconds: 5,
  });
}
