import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };

/** Most commands load slowly. */
type Group = { names: readonly string[]; add: (program: Command) => Promise<void> };

const PROGRAMS: Group = {
  names: ["start", "server", "worker", "redirector"],
  add: async (program) => (await import("#commands/program-commands.ts")).addProgramCommands(program),
};
const USERS: Group = {
  names: ["user"],
  add: async (program) => (await import("#commands/user-commands.ts")).addUserCommands(program),
};
const SECRETS: Group = {
  names: ["secrets"],
  add: async (program) => (await import("#commands/secret-commands.ts")).addSecretCommands(program),
};
const BACKUPS: Group = {
  names: ["backup", "restore", "move"],
  add: async (program) => (await import("#commands/backup-commands.ts")).addBackupCommands(program),
};
const ENCODERS: Group = {
  names: ["encoder"],
  add: async (program) => (await import("#commands/encoder-commands.ts")).addEncoderCommands(program),
};
const REMOTE: Group = {
  names: ["jobs", "sets", "presets", "library", "login", "logout", "mcp", "completion", "complete"],
  add: async (program) => (await import("#commands/remote/remote-commands.ts")).addRemoteCommands(program),
};
const GROUPS = [PROGRAMS, USERS, SECRETS, BACKUPS, ENCODERS, REMOTE];

/** Only names, for completion. */
const NAMES: Group = {
  names: [],
  async add(program) {
    for (const name of [PROGRAMS, USERS, SECRETS, BACKUPS, ENCODERS].flatMap(({ names }) => names))
      program.command(name);
  },
};

const EXIT_USAGE = 2;

const [, , word] = process.argv;
const isRemote = word !== undefined && REMOTE.names.includes(word);
// Created files must be private. Downloaded files are the user's own.
if (!isRemote) process.umask(0o077);

const program = new Command("clipmill")
  .description("Self-hosted bulk processing of short videos.")
  .version(packageJson.version)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE));

for (const { add } of groupsOf(process.argv.slice(2))) await add(program);
if (
  word !== undefined &&
  /^[a-z]/.test(word) &&
  ![...program.commands.map((command) => command.name()), "help"].includes(word)
) {
  program.error(`error: unknown command '${word}'. \`clipmill --help\` lists the commands.`);
}

try {
  await program.parseAsync();
} catch (error) {
  const { endWithError } = await import("#programs/end-with-error.ts");
  endWithError(error);
}

function groupsOf([word, ...rest]: readonly string[]): readonly Group[] {
  // `npm start` passes no command.
  if (word === undefined) return [PROGRAMS];
  if (word === "--version" || word === "-V") return [];
  const group = GROUPS.find(({ names }) => names.includes(word));
  if (!group) return GROUPS;
  if (word !== "complete") return [group];
  const [first, ...others] = rest.filter((each) => each !== "--");
  const described = others.length > 0 ? GROUPS.filter(({ names }) => first !== undefined && names.includes(first)) : [];
  return [REMOTE, ...(others.length > 0 ? described.filter((each) => each !== REMOTE) : [NAMES])];
}
