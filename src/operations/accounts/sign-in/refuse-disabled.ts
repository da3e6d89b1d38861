import { AuthError } from "../auth-error.ts";

/** Throws AuthError "user_banned" if the account is disabled. */
export function refuseDisabled(account: { disabled_at: string | null }): void {
  if (account.disabled_at) {
    throw new AuthError("user_banned", "This account has been disabled. Contact your administrator.");
  }
}
