/** Passwords are kept as argon2id hashes, with the parameters OWASP recommends (the library's defaults). */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

export const PASSWORD_LIMITS = { shortest: 8, longest: 256 } as const;

let nobodysHash: Promise<string> | null = null;

/** The text to store for a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** True when the password is the one hashed. Without a hash it takes as long and is false, so that time tells nothing. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  nobodysHash ??= hash(randomBytes(32));
  const isMatch = await verify(storedHash ?? (await nobodysHash), password);
  return isMatch && storedHash !== null;
}
