import { sql } from "kysely";
import type { Context } from "../context.ts";
import { hasIdentity } from "./account.ts";

export type AccountLine = {
  email: string;
  isDisabled: boolean;
  hasSecondStep: boolean;
  /** Signs in at an OpenID provider. */
  hasIdentity: boolean;
  lastSignInAt: string | null;
};

/**
 * Includes disabled accounts and unconfirmed sign-ups. `hasSecondStep` counts only verified factors; `lastSignInAt` is
 * null before the first sign-in.
 */
export function listAccounts({ db }: Pick<Context, "db">): Promise<AccountLine[]> {
  return db
    .selectFrom("accounts")
    .select(["email", "last_sign_in_at as lastSignInAt"])
    .select(sql<boolean>`disabled_at is not null`.as("isDisabled"))
    .select(
      sql<boolean>`exists (select from factors where account_id = accounts.id and verified_at is not null)`.as(
        "hasSecondStep",
      ),
    )
    .select(hasIdentity().as("hasIdentity"))
    .orderBy("email")
    .execute();
}
