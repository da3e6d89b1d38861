import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import { hasCode } from "#ground/error-code.ts";
import { AuthError } from "../auth-error.ts";

const UNIQUE_VIOLATION = "23505";

/** Throws AuthError "email_exists". A pending sign-up does not reserve the address. */
export async function refuseTakenEmail(db: Kysely<Tables>, email: string): Promise<void> {
  const taken = await db
    .selectFrom("accounts")
    .select("id")
    .where("email", "=", email)
    .where((eb) => eb.or([eb("email_confirmed_at", "is not", null), eb("disabled_at", "is not", null)]))
    .executeTakeFirst();
  if (taken) throw takenEmail();
}

export function rethrowTakenEmail(error: unknown): never {
  throw hasCode(error, UNIQUE_VIOLATION) ? takenEmail(error) : error;
}

function takenEmail(cause?: Error): AuthError {
  return new AuthError("email_exists", "Another account uses this email address.", { cause });
}
