/** Loads none of the server's modules. */
import type { Command } from "commander";
import { addCompletionCommands } from "./completion/completion-commands.ts";
import { EXIT_MEANINGS } from "./exit-codes.ts";
import { addJobsCommands } from "./jobs/jobs-commands.ts";
import { addLibraryCommands } from "./library-commands.ts";
import { addLoginCommands } from "./login-commands.ts";
import { addMcpCommand } from "./mcp/mcp-command.ts";
import { addPresetsCommands } from "./presets-commands.ts";
import { addSetsCommands } from "./sets-commands.ts";

const GROUP = "On a server:";

export function addRemoteCommands(program: Command): void {
  program.commandsGroup(GROUP);
  const before = program.commands.length;
  addJobsCommands(program);
  addSetsCommands(program);
  addPresetsCommands(program);
  addLibraryCommands(program);
  addLoginCommands(program);
  addMcpCommand(program);
  addCompletionCommands(program);
  const help = `\nExit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join("\n")}`;
  for (const command of program.commands.slice(before)) command.addHelpText("afterAll", help);
}
