import { text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import { askHidden } from "./ask-hidden.ts";

/**
 * Typed twice without echo, or the first line of piped input; "" if empty. Throws ClipmillError "invalid" if the two
 * differ, "cancelled" on Ctrl-C or Ctrl-D.
 */
export async function promptNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  const password = await askHidden("New password (leave empty to generate one): ");
  if (password && (await askHidden("Repeat the new password: ")) !== password) {
    throw new ClipmillError("invalid", "The passwords don't match. Nothing was changed.");
  }
  return password;
}
