import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";

/**
 * Reads a new password: typed twice without echo, or the first line of piped input; "" if empty. Throws ClipmillError
 * "invalid" if the two differ, "cancelled" on Ctrl-C or Ctrl-D.
 */
export async function promptNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  const password = await askHidden("New password (leave empty to generate one): ");
  if (password && (await askHidden("Repeat the new password: ")) !== password) {
    throw new ClipmillError("invalid", "The passwords don't match. Nothing was changed.");
  }
  return password;
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: discard, terminal: true, historySize: 0 });
  try {
    return await terminal.question("");
  } catch (cause) {
    throw new ClipmillError("cancelled", "Nothing was changed.", { cause });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
