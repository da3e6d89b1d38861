import { type Command, Option } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { type ApiClient, createApiClient } from "./api/api-client.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { chooseServer } from "./servers/saved-servers.ts";
import { openTerminal, type Terminal } from "./terminal/open-terminal.ts";

export type Session = {
  api: ApiClient;
  terminal: Terminal;
  whenStopped: (sentence: string) => void;
};

type SessionOptions = { server?: string; json?: boolean };

/** Adds common options and the action, which returns the exit code (default 0). */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each command knows its options
export function onServer<Options extends object>(
  command: Command,
  act: (session: Session, options: Options, words: string[]) => Promise<ExitCode | void>,
): Command {
  return command
    .addOption(new Option("--server <url>", "the server (default: CLIPMILL_SERVER, or the last login)"))
    .option("--json", "print JSON lines")
    .action(async () => {
      const options: SessionOptions & Options = command.opts();
      await runOnServer(options, (session) => act(session, options, command.args));
    });
}

async function runOnServer(
  { server, json = false }: SessionOptions,
  act: (session: Session) => Promise<ExitCode | void>,
): Promise<void> {
  const terminal = openTerminal(json);
  await endingWell(terminal, async (signal, whenStopped) => {
    const access = await chooseServer(process.env, server);
    const api = createApiClient({ ...access, signal, onWait: terminal.note });
    return await act({ api, terminal, whenStopped });
  });
}

/** After this, a second Ctrl-C ends the command immediately. */
const SAME_KEY_MS = 500;

/** Sets the exit code, and prints an error as one sentence. */
export async function endingWell(
  terminal: Terminal,
  act: (signal: AbortSignal, whenStopped: (sentence: string) => void) => Promise<ExitCode | void>,
): Promise<void> {
  const stopping = new AbortController();
  let sentence = "Stopped. Nothing was created.";
  let stoppedMs = 0;
  const stop = (): void => {
    // The terminal also sends Ctrl-C to the launcher, which passes it on.
    if (stopping.signal.aborted && performance.now() - stoppedMs > SAME_KEY_MS) process.exit(EXIT.stopped);
    if (!stopping.signal.aborted) stoppedMs = performance.now();
    stopping.abort(new ClipmillError("cancelled", sentence));
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  // The reader of a pipe, such as `head`, has read enough.
  process.stdout.on("error", () => process.exit(EXIT.failed));
  try {
    process.exitCode = (await act(stopping.signal, (text) => (sentence = text))) ?? EXIT.ok;
    terminal.clear();
  } catch (error) {
    const cause: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    terminal.fail(cause);
    process.exitCode = exitCodeOf(cause);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}
