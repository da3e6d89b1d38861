import { Command } from "commander";
import { VERSION } from "#operations/fleet/version.ts";
import { endWithFault } from "#programs/end-with-fault.ts";
import { addProgramCommands } from "#commands/program-commands.ts";

// Only the user running a program may read what it writes; by default the embedded database creates files readable by everyone.
process.umask(0o077);

const program = new Command("clipmill")
  .description("Bulk processing of short videos, on your own machine.")
  .version(VERSION);

addProgramCommands(program);

// The redirector starts fast and stays small: it never loads what the other commands need.
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
