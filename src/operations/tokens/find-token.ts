import { sql } from "kysely";
import type { TokenScope } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type Account, ACCOUNT_COLUMNS, requireEnabled } from "../accounts/account.ts";
import { AuthError } from "../accounts/auth-error.ts";
import type { Actor } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";

type FoundToken = {
  id: string;
  account: Account;
  scopes: readonly TokenScope[];
  /** Null unless it is a worker token. */
  workerLabels: readonly string[] | null;
  expiresAt: string | null;
};

/**
 * Runs on every request, so that a revocation takes effect immediately. Throws AuthError "bad_jwt" or "user_banned".
 */
export async function findToken({ db }: Pick<Context, "db">, secret: string): Promise<FoundToken> {
  const row = await db
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "account_id")
    .select(ACCOUNT_COLUMNS)
    .select(["api_tokens.id as token_id", "scopes", "worker_labels", "expires_at", "disabled_at"])
    .select(sql<boolean>`expires_at <= now()`.as("is_expired"))
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as("is_use_stale"))
    .where("digest", "=", sha256Of(secret))
    .executeTakeFirst();
  if (!row) throw new AuthError("bad_jwt", "This API token is not valid or was revoked.");
  const { token_id: id, scopes, worker_labels: workerLabels, expires_at: expiresAt, ...rest } = row;
  const { disabled_at, is_expired, is_use_stale, ...account } = rest;
  if (is_expired) throw new AuthError("bad_jwt", "This API token has expired.");
  requireEnabled({ disabled_at });
  if (is_use_stale) {
    await db
      .updateTable("api_tokens")
      .set({ last_used_at: sql<string>`now()` })
      .where("id", "=", id)
      .execute();
  }
  return { id, account, scopes, workerLabels, expiresAt };
}

/** Throws ClipmillError "forbidden" for an API token without the scope. */
export function requireScope({ scopes }: Pick<Actor, "scopes">, need: TokenScope): void {
  if (!scopes || scopes.includes(need)) return;
  throw new ClipmillError("forbidden", `This API token needs the scope ${need}.`, { facts: { need } });
}
