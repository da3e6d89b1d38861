/** Argon2id with the library's defaults, which OWASP recommends. */
import { randomBytes, randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { PASSWORD_LIMITS } from "#contract/account.ts";
import { AuthError } from "./auth-error.ts";
import { runPasswordTask } from "./sign-in/password-turns.ts";

/** No look-alike characters. */
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";

let unusable: Promise<string> | null = null;

/** Throws AuthError "weak_password", "validation_failed" (too long) or "over_request_rate_limit". */
export async function hashNewPassword(password: string): Promise<string> {
  if (password.length < PASSWORD_LIMITS.shortest) {
    throw new AuthError("weak_password", `Passwords need at least ${PASSWORD_LIMITS.shortest} characters.`);
  }
  if (password.length > PASSWORD_LIMITS.longest) {
    throw new AuthError("validation_failed", `Passwords can have at most ${PASSWORD_LIMITS.longest} characters.`);
  }
  return runPasswordTask(() => hash(password));
}

/** Takes equally long without a hash. Throws AuthError "over_request_rate_limit". */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const compared = storedHash ?? (await unusableHash());
  const isMatch = await runPasswordTask(() => verify(compared, password.slice(0, PASSWORD_LIMITS.longest + 1)));
  return isMatch && storedHash !== null;
}

export function unusableHash(): Promise<string> {
  unusable ??= hash(randomBytes(32));
  return unusable;
}

/** Returns four groups of four characters (79 bits), easy to copy by hand. */
export function generatePassword(): string {
  const letters = Array.from({ length: 16 }, () => READABLE[randomInt(READABLE.length)]);
  return letters.join("").replace(/.{4}(?=.)/g, "$&-");
}
