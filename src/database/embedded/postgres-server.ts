/** Runs PostgreSQL as a child process that only this process and its commands can reach. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { type Command, giveToPostgres, isRoot, postgresCommand, wrapInShell } from "./postgres-programs.ts";

export type RunningServer = {
  url: string;
  /** Ends all connections. Other calls wait for the same end. */
  stop(): Promise<void>;
};

const OWNER = "clipmill";
const PORT = 5432;
/** The system's limit is 104 or 108 bytes, with a zero at the end. */
const MAX_SOCKET_BYTES = 103;

const CLUSTER = [
  // Nobody can sign in as its superuser, who could run programs.
  "--username=postgres",
  "--auth=reject",
  "--encoding=UTF8",
  // In PostgreSQL's own C locale, É and é do not match in searches.
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  // In MB. A database without data takes half the space.
  "--wal-segsize=4",
  "--no-instructions",
];

const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0600",
  max_connections: 50,
  shared_buffers: "32MB",
  min_wal_size: "16MB",
  max_wal_size: "256MB",
  // Fewer processes: statements are short, and nothing is replicated.
  io_method: "sync",
  max_parallel_workers_per_gather: 0,
  max_logical_replication_workers: 0,
  // After a crash, Clipmill decides: a full disk needs an operator first.
  restart_after_crash: "off",
  // Errors reach the client; the text of statements would be in the log, too.
  log_min_messages: "fatal",
  log_min_error_statement: "panic",
};

const SET_UP = [
  `create role ${OWNER} login`,
  `grant pg_checkpoint to ${OWNER}`,
  `create database ${OWNER} owner ${OWNER}`,
];
const ACCESS = `local ${OWNER} ${OWNER} trust\n`;

/** Ends PostgreSQL when its third stream ends without a line, as when this process is killed. */
const WATCH = `(read -r line <&3 || kill -INT $$) & exec 3<&-; exec "$@"`;

const CHECK_MS = 5;
const LEFTOVER_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const KEPT_CHARACTERS = 4_000;

/** Creates an empty cluster, synced to the disk. Throws ClipmillError "system_error" with what initdb printed. */
export async function createCluster(folder: string): Promise<void> {
  await runToEnd(postgresCommand("initdb", [`--pgdata=${folder}`, ...CLUSTER]));
  // Without a server: it would need a way in for its superuser.
  await runToEnd(postgresCommand("postgres", ["--single", "-D", folder, "template1"]), `${SET_UP.join("\n")}\n`);
  writeFileSync(path.join(folder, "pg_hba.conf"), ACCESS, { flush: true });
}

async function runToEnd({ file, args }: Command, input = ""): Promise<void> {
  const child = spawn(file, args, { env: cleanEnvironment() });
  const log = keepTail(child);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await once(child, "close").catch(() => {});
  if (child.exitCode !== 0 || /^(FATAL|ERROR):/m.test(log())) throw startError("could not create its files", log());
}

/**
 * Starts PostgreSQL on `folder` and resolves when it accepts connections. A server that a killed Clipmill left there is
 * ended first. `onEnd` is called if it ends unexpectedly. Throws ClipmillError "system_error" with its last lines.
 */
export async function startServer(
  folder: string,
  { socketFolder, onEnd }: { socketFolder: string; onEnd: (log: string) => void },
): Promise<RunningServer> {
  giveToPostgres(folder);
  const sockets = makeSocketFolder(socketFolder);
  const deadlineMs = performance.now() + LEFTOVER_LIMIT_MS;
  for (;;) {
    await endLeftover(folder);
    const before = readPidFile(folder);
    const child = launch(folder, sockets);
    const log = keepTail(child);
    if (await untilReady(child, folder)) return serve(child, sockets, { log, onEnd });
    // A leftover server holds the folder until it has ended.
    if (!before || !isEnding(before.pid, folder) || performance.now() > deadlineMs) {
      throw startError("could not start", log());
    }
    await delay(10 * CHECK_MS);
  }
}

/** Returns the address of the server that another process runs on `folder`, or null. */
export async function findRunningServer(folder: string): Promise<string | null> {
  const found = readPidFile(folder);
  return found && (await accepts(socketIn(found.sockets))) ? urlOf(found.sockets) : null;
}

function serve(
  child: ChildProcess,
  sockets: string,
  { log, onEnd }: { log: () => string; onEnd: (log: string) => void },
): RunningServer {
  const ended = once(child, "exit");
  const watch = child.stdio[3] as Writable;
  // It fails once PostgreSQL has ended.
  watch.on("error", () => {});
  let stopping: Promise<void> | null = null;
  child.once("exit", () => {
    watch.end("ended\n");
    if (!stopping) onEnd(log());
  });
  async function end(): Promise<void> {
    child.kill("SIGINT");
    // Without waiting for its last checkpoint; the next start reads its log instead.
    const timer = setTimeout(() => child.kill("SIGQUIT"), STOP_LIMIT_MS);
    if (child.exitCode === null && child.signalCode === null) await ended;
    clearTimeout(timer);
    if (path.dirname(sockets) === os.tmpdir()) rmSync(sockets, { recursive: true, force: true });
  }
  return { url: urlOf(sockets), stop: () => (stopping ??= end()) };
}

function launch(folder: string, sockets: string): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: sockets });
  const args = ["-D", folder, "-p", String(PORT), ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const { file, args: rest } = wrapInShell(WATCH, postgresCommand("postgres", args));
  // A session of its own: Ctrl+C in a terminal would end the database before the programs that use it.
  const child = spawn(file, rest, {
    ...{ stdio: ["ignore", "ignore", "pipe", "pipe"], env: cleanEnvironment(), detached: true },
  });
  child.unref();
  for (const stream of [child.stderr, child.stdio[3]]) (stream as net.Socket).unref();
  return child;
}

/** Variables such as PGOPTIONS or LC_MESSAGES would change its behavior. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, TZ } = process.env;
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), ...(TZ && { TZ }), LC_ALL: "C" };
}

function keepTail(child: ChildProcess): () => string {
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => void (tail = (tail + text).slice(-KEPT_CHARACTERS)));
  }
  child.on("error", (error) => void (tail += error.message));
  return () => tail.trim();
}

/** Returns false if it ends first. */
async function untilReady(child: ChildProcess, folder: string): Promise<boolean> {
  const ended = new AbortController();
  // Not "close": the shell that watches keeps the streams open.
  for (const name of ["error", "exit"]) child.once(name, () => ended.abort());
  while (!ended.signal.aborted) {
    const found = readPidFile(folder);
    if (found?.pid === child.pid && found?.isReady) return true;
    await delay(CHECK_MS);
  }
  return false;
}

/** Lines of postmaster.pid: postgresql.org/docs/current/storage-file-layout.html, and PostgreSQL's pidfile.h. */
function readPidFile(folder: string): { pid: number; sockets: string; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(folder, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), sockets: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" };
  } catch {
    return null;
  }
}

/** Its process id alone proves nothing: the system may have given it to another program. */
async function endLeftover(folder: string): Promise<void> {
  const found = readPidFile(folder);
  if (!found) return;
  if (await accepts(socketIn(found.sockets))) {
    try {
      process.kill(found.pid, "SIGINT");
    } catch {
      // It has just ended.
    }
  } else if (isAnotherProgram(found.pid, folder)) {
    // PostgreSQL would not start: in a container, ids come again after each restart.
    rmSync(path.join(folder, "postmaster.pid"), { force: true });
  }
}

/** Ends the server of a killed Clipmill on `folder`, and waits until it no longer holds its socket. */
export async function awaitLeftover(folder: string): Promise<void> {
  await endLeftover(folder);
  const deadlineMs = performance.now() + LEFTOVER_LIMIT_MS;
  for (let found = readPidFile(folder); found && isAlive(found.pid); found = readPidFile(folder)) {
    if (performance.now() > deadlineMs) return;
    await delay(CHECK_MS);
  }
}

/** PostgreSQL works in its folder. Returns false where the system does not tell. */
function isAnotherProgram(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(folder);
  } catch {
    return false;
  }
}

/** True if the server `pid` still runs, or has just removed its file. */
function isEnding(pid: number, folder: string): boolean {
  return readPidFile(folder)?.pid !== pid || isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function accepts(socket: string): Promise<boolean> {
  const connection = net.connect(socket);
  try {
    await once(connection, "connect");
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

function makeSocketFolder(preferred: string): string {
  if (Buffer.byteLength(socketIn(preferred)) > MAX_SOCKET_BYTES) {
    return mkdtempSync(path.join(os.tmpdir(), "clipmill-"));
  }
  mkdirSync(preferred, { recursive: true, mode: 0o700 });
  return preferred;
}

function socketIn(folder: string): string {
  return path.join(folder, `.s.PGSQL.${PORT}`);
}

function urlOf(sockets: string): string {
  return `postgres://${OWNER}@localhost:${PORT}/${OWNER}?host=${encodeURIComponent(sockets)}`;
}

function startError(what: string, log: string): ClipmillError {
  const last = log.split("\n").at(-1) ?? "";
  const advice =
    isRoot() && last.includes("setpriv")
      ? "PostgreSQL does not run as root, and setpriv could not change that: run Clipmill as another user"
      : "Free some space, or correct this";
  return new ClipmillError("system_error", `The database ${what} (${last}). ${advice}, or set DATABASE_URL.`, {
    tail: log,
  });
}
