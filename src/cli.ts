import { Command } from "commander";
import { VERSION } from "#operations/fleet/version.ts";
import { endWithFault } from "#programs/end-with-fault.ts";
import { addProgramCommands } from "#commands/program-commands.ts";

// Created files must be readable only by the current user; the embedded database would make them world-readable.
process.umask(0o077);

const program = new Command("clipmill").description("Self-hosted bulk processing of short videos.").version(VERSION);

addProgramCommands(program);

// The redirector starts fast and stays small: it never loads the other commands.
if (process.argv[2] !== "redirector") {
  const [{ addUserCommands }, { addSecretCommands }, { addBackupCommands }] = await Promise.all([
    import("#commands/user-commands.ts"),
    import("#commands/secret-commands.ts"),
    import("#commands/backup-commands.ts"),
  ]);
  addUserCommands(program);
  addSecretCommands(program);
  addBackupCommands(program);
}

await program.parseAsync().catch(endWithFault);
