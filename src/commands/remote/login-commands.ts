import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { askHidden } from "../ask-hidden.ts";
import { createApiClient } from "./api/api-client.ts";
import {
  readServer,
  readToken,
  changeSavedServers,
  readSavedServers,
  savedServersFile,
} from "./servers/saved-servers.ts";
import { endingWell } from "./session.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

/** Tokens are never arguments, which stay in the shell's history and the process list. */
export function addLoginCommands(program: Command): void {
  program
    .command("login [server]")
    .summary("Save the address of a server and an API token.")
    .description(
      "Save the address of a server and an API token, in a file that only you can read. Create the token in Settings → Automation → API Tokens. Other commands use the last server you signed in to, or --server.\n\nCLIPMILL_SERVER and CLIPMILL_TOKEN take precedence, and need no login.",
    )
    .option("--token-stdin", "read the token from standard input")
    .action(async (server: string | undefined, { tokenStdin = false }: { tokenStdin?: boolean }) => {
      const terminal = openTerminal(false);
      await endingWell(terminal, async (signal, whenStopped) => {
        whenStopped("Stopped. Nothing was saved.");
        terminal.note(await logIn(server, tokenStdin, signal));
      });
    });

  program
    .command("logout [server]")
    .description(
      "Delete the saved token of a server (default: the last login). The token stays valid until it is revoked in Settings.",
    )
    .action(async (server: string | undefined) => {
      const terminal = openTerminal(false);
      await endingWell(terminal, async () => terminal.note(await logOut(server)));
    });
}

async function logIn(given: string | undefined, isPiped: boolean, signal: AbortSignal): Promise<string> {
  const canAsk = process.stdin.isTTY;
  if (given === undefined && (isPiped || !canAsk)) {
    throw new ClipmillError(
      "invalid",
      "Specify the server's address: clipmill login https://clipmill.example.com --token-stdin",
    );
  }
  const server = readServer(given ?? (await ask("Address of the server: ", signal)));
  if (!isPiped && !canAsk)
    throw new ClipmillError("invalid", "Add --token-stdin to read the token from standard input.");
  const token = readToken(isPiped ? await text(process.stdin) : await askHidden("API token (not shown): "));
  // Saves only what works.
  const { readServerVersion } = await import("#client/calls.ts");
  const version = await readServerVersion(createApiClient({ server, token, signal }));
  const file = savedServersFile(process.env);
  await changeSavedServers(file, ({ servers }) => ({ default: server, servers: { ...servers, [server]: { token } } }));
  const isOpen = server.startsWith("http:") && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(server);
  const warning = isOpen ? " The connection is not encrypted: others on the network can read the token." : "";
  return `You are signed in to ${server} (Clipmill ${version}). The token is saved in ${file}.${warning}`;
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}

async function logOut(given: string | undefined): Promise<string> {
  const file = savedServersFile(process.env);
  const saved = await readSavedServers(file);
  const server = given === undefined ? saved.default : readServer(given);
  if (server === null || !Object.hasOwn(saved.servers, server)) {
    throw new ClipmillError(
      "unauthorized",
      server === null ? "You are not signed in." : `You are not signed in to ${server}.`,
    );
  }
  await changeSavedServers(file, ({ default: last, servers }) => {
    const left = Object.fromEntries(Object.entries(servers).filter(([each]) => each !== server));
    return { default: last === server ? (Object.keys(left).at(-1) ?? null) : last, servers: left };
  });
  return `The token of ${server} was removed. To make it invalid, revoke it in Settings.`;
}
