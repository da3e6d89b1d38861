import { Command } from "commander";
import { endWithFault } from "./end-with-fault.ts";
import { addProgramCommands } from "./program-commands.ts";

const program = new Command("clipmill").description("Bulk processing of short videos, on your own machine.");

addProgramCommands(program);

// The redirector starts fast and stays small: it never loads what the other commands need.
if (process.argv[2] !== "redirector") {
  const [{ addUserCommands }, { addSecretCommands }, { addBackupCommands }] = await Promise.all([
    import("./user-commands.ts"),
    import("./secret-commands.ts"),
    import("./backup-commands.ts"),
  ]);
  addUserCommands(program);
  addSecretCommands(program);
  addBackupCommands(program);
}

await program.parseAsync().catch(endWithFault);
