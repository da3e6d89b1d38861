import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { beforeAll, expect, it } from "vitest";
import { EXIT_MEANINGS } from "#commands/remote/exit-codes.ts";
import { addRemoteCommands } from "#commands/remote/remote-commands.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const LAUNCHER = path.resolve("bin/clipmill.js");
const folder = await makeScratchFolder();
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const env = {
  HOME: folder,
  PATH: `${path.join(folder, "bin")}:${path.dirname(process.execPath)}:${process.env["PATH"]}`,
};

beforeAll(async () => {
  await mkdir(path.join(folder, "bin"));
  await symlink(LAUNCHER, path.join(folder, "bin/clipmill"));
  await writeFile(path.join(folder, "good.csv"), "link");
});

const SCRIPT = `source <(clipmill completion bash); COMP_WORDS=("$@"); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
  COMP_CWORD=$(($# - 1)); _clipmill; printf '%s\\n' "\${COMPREPLY[@]}"`;

it("completes commands, options, values and files in bash", () => {
  expect(bash("jo")).toEqual(["jobs"]);
  expect(bash("user", "")).toContain("reset-password");
  expect(bash("jobs", "create", "--dry")).toEqual(["--dry-run"]);
  expect(bash("jobs", "create", "--from", "go")).toEqual(["good.csv"]);
  expect(bash("jobs", "create", "--setting", "caption_si")).toEqual(["caption_size="]);
  expect(bash("jobs", "create", "--encoding", "windows-125")).toContain("windows-1251");
  // As bash splits it.
  expect(bash("jobs", "create", "--setting", "caption_size", "=", "la")).toEqual(["large"]);
  expect(bash("jobs", "list", "--status", "C")).toEqual(["Cancelling", "Completed", "Cancelled"]);
  expect(bash("completion", "")).toEqual(["bash", "zsh", "fish"]);
});

it.skipIf(!has("fish"))("completes in fish", () => {
  const script = "clipmill completion fish | source; complete -C 'clipmill jobs create --dry'";
  const output = execFileSync("fish", ["-c", script], { env, encoding: "utf8" });
  expect(output).toMatch(/^--dry-run\t/);
});

it.skipIf(!has("zsh"))("completes in zsh", () => {
  const script = `autoload -U compinit; compinit -u -D; eval "$(clipmill completion zsh)"
    _describe() { local -a all=("\${(@P)2}"); print -l -- $all }; words=(clipmill jobs create --dry); CURRENT=4; _clipmill`;
  const output = execFileSync("zsh", ["-fc", script], { env, encoding: "utf8" });
  expect(output).toMatch(/^--dry-run:/);
});

it("docs/CLI.md names every command, option and exit code, and no others", async () => {
  const page = await readFile("docs/CLI.md", "utf8");
  const program = new Command("clipmill");
  addRemoteCommands(program);
  const all = [...commandsBelow(program)].filter((command) => command.name() !== "complete");
  const leaves = all.filter((command) => command.commands.length === 0);
  const documented = [...page.matchAll(/^\| `((?:[a-z]+ ?)+)(?: [<[].*?)?`/gm)].map(([, name]) => name!.trim());
  expect(documented.toSorted()).toEqual(leaves.map(pathOf).toSorted());
  const options = new Set(all.flatMap((command) => command.options.map(({ long }) => long!)));
  const written = new Set([...page.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option));
  expect([...written].toSorted()).toEqual([...options].toSorted());
  for (const [code, meaning] of EXIT_MEANINGS)
    expect(page).toMatch(new RegExp(`\\| ${code} +\\| ${meaning.replaceAll(".", "\\.")}`));
});

function bash(...words: string[]): string[] {
  const options = { env, cwd: folder, encoding: "utf8" } as const;
  return execFileSync("bash", ["-c", SCRIPT, "bash", "clipmill", ...words], options)
    .trimEnd()
    .split("\n");
}

function* commandsBelow(command: Command): Generator<Command> {
  for (const below of command.commands) {
    yield below;
    yield* commandsBelow(below);
  }
}
function pathOf(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}
