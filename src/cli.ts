import { type CommandGroup, REMOTE, runCommandLine } from "#commands/run-command-line.ts";

const PROGRAMS: CommandGroup = {
  names: ["start", "server", "worker", "redirector"],
  add: async (program) => (await import("#commands/program-commands.ts")).addProgramCommands(program),
};
const USERS: CommandGroup = {
  names: ["user"],
  add: async (program) => (await import("#commands/user-commands.ts")).addUserCommands(program),
};
const SECRETS: CommandGroup = {
  names: ["secrets"],
  add: async (program) => (await import("#commands/secret-commands.ts")).addSecretCommands(program),
};
const BACKUPS: CommandGroup = {
  names: ["backup", "restore", "move"],
  add: async (program) => (await import("#commands/backup-commands.ts")).addBackupCommands(program),
};
const ENCODERS: CommandGroup = {
  names: ["encoder"],
  add: async (program) => (await import("#commands/encoder-commands.ts")).addEncoderCommands(program),
};

await runCommandLine([PROGRAMS, USERS, SECRETS, BACKUPS, ENCODERS, REMOTE], PROGRAMS);
