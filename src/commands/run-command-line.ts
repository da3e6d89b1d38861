import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };

/** Most commands load slowly. */
export type CommandGroup = { names: readonly string[]; add: (program: Command) => Promise<void> };

/** Commands that use a server through its API. */
export const REMOTE: CommandGroup = {
  names: ["jobs", "sets", "presets", "library", "login", "logout", "mcp", "completion", "complete"],
  add: async (program) => (await import("./remote/remote-commands.ts")).addRemoteCommands(program),
};

const EXIT_USAGE = 2;

/** Runs the command of this process with one of `groups`; without a command, `bare` shows its help or runs its default. */
export async function runCommandLine(groups: readonly CommandGroup[], bare: CommandGroup): Promise<void> {
  const [, , word] = process.argv;
  const isRemote = word !== undefined && REMOTE.names.includes(word);
  // Created files must be private. Downloaded files are the user's own.
  if (!isRemote) process.umask(0o077);

  const program = new Command("clipmill")
    .description("Self-hosted bulk processing of short videos.")
    .version(packageJson.version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE));

  for (const { add } of groupsOf(groups, bare, process.argv.slice(2))) await add(program);
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
}

function groupsOf(
  all: readonly CommandGroup[],
  bare: CommandGroup,
  [word, ...rest]: readonly string[],
): readonly CommandGroup[] {
  // `npm start` passes no command.
  if (word === undefined) return [bare];
  if (word === "--version" || word === "-V") return [];
  const group = all.find(({ names }) => names.includes(word));
  if (!group) return all;
  if (word !== "complete") return [group];
  const local = all.filter((each) => each !== REMOTE);
  const [first, ...others] = rest.filter((each) => each !== "--");
  if (others.length === 0) return [REMOTE, namesOf(local)];
  return [REMOTE, ...local.filter(({ names }) => first !== undefined && names.includes(first))];
}

/** Only names, for completion. */
function namesOf(groups: readonly CommandGroup[]): CommandGroup {
  return {
    names: [],
    async add(program) {
      for (const name of groups.flatMap(({ names }) => names)) program.command(name);
    },
  };
}
