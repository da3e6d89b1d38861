import { CONNECTION_LIMITS } from "../connections.ts";

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Returns a sentence, or null. */
export function faultOfConnectionName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > CONNECTION_LIMITS.nameCharacters) return "Names can have at most 100 characters.";
  return CONTROL.test(name) ? "Names can't contain line breaks or invisible characters." : null;
}
