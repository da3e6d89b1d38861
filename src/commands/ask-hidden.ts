import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ClipmillError } from "#contract/errors.ts";

/** Reads a line without echo. Throws ClipmillError "cancelled" on Ctrl-C or Ctrl-D. */
export async function askHidden(question: string): Promise<string> {
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
