/** Data that the embedded database has acknowledged is on the disk. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { expect } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const WRITE_LOAD = path.resolve(import.meta.dirname, "../../support/write-load.ts");
const WATCH = path.resolve(import.meta.dirname, "../../support/watch-disk-calls.ts");
const COMMITS = 200;

const scratch = await makeScratchFolder();

/** In order: "write <file>", "sync <file>", "rename <from and to>", "say <text>". */
type DiskCalls = string[];

testFault(
  {
    id: "fsync-system-calls",
    fault: "power cut after a commit to the embedded database (system calls, traced with strace)",
    expected: "a commit is acknowledged only after its log is synced, and a checkpoint only after its files",
    rounds: { short: 1, full: 5 },
    secondsPerRound: 120,
    skip: !mayTrace() && "strace is not here, or may not be used",
  },
  async (round) => checkOrder(await traceCalls(path.join(scratch, `traced-${round}`))),
);

testFault(
  {
    id: "fsync-hook",
    fault: "power cut after a commit to the embedded database (Node.js file system calls)",
    expected: "a commit is acknowledged only after its log is synced, and a checkpoint only after its files",
    // Sees fewer calls than strace.
    rounds: { short: mayTrace() ? 0 : 1, full: 5 },
    secondsPerRound: 120,
  },
  async (round) => checkOrder(await hookCalls(path.join(scratch, `hooked-${round}`))),
);

const killed = path.join(scratch, "killed");
const acknowledged = new Set<string>();

testFault(
  {
    id: "sigkill-write-load",
    fault: "SIGKILL a process that writes to the embedded database, at a random moment",
    expected: "every acknowledged row is there after the next start",
    // strace shows that each row is synced before it is acknowledged.
    rounds: { short: mayTrace() ? 0 : 1, full: 50 },
    secondsPerRound: 60,
  },
  writeAndKill,
);

async function writeAndKill(round: number): Promise<Record<string, number>> {
  const before = acknowledged.size;
  await killWhileWriting(killed, Math.random() * 1_500);
  const database = await openDatabase({ dataDir: killed });
  try {
    const rows = await database.db.selectFrom("caption_sets").select(["name", "captions"]).execute();
    const found = new Set(rows.map(({ name }) => name));
    expect([...acknowledged].filter((name) => !found.has(name))).toEqual([]);
    // Each kill may leave one more row: the write in flight.
    expect(rows.length - acknowledged.size).toBeLessThanOrEqual(round + 1);
    expect(rows.every(({ name, captions }) => captions[0] === name || captions[0]!.length === 200_000)).toBe(true);
  } finally {
    await database.close();
  }
  return { "rows acknowledged": acknowledged.size - before };
}

/** Starts a new load, kills it `afterMs` after its first row, and collects the acknowledged rows. */
async function killWhileWriting(dataDir: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [WRITE_LOAD, dataDir, "1000000"], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const isWriting = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const name = /^acknowledged (\w{16})$/.exec(line)?.[1];
    if (!name) return;
    acknowledged.add(name);
    isWriting.resolve();
  });
  await Promise.race([isWriting.promise, failOnEnd(child)]);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await closed;
}

async function failOnEnd(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, "exit")) as [number | null];
  throw new Error(`The write load ended by itself with ${code}.`);
}

/** Requires syncs before acknowledgments and checkpoints. Returns log syncs per commit. */
function checkOrder(calls: DiskCalls): Record<string, number> {
  const unsynced = new Set<string>();
  let isReady = false;
  let commits = 0;
  let logSyncs = 0;
  for (const call of calls) {
    const [verb, what] = [call.slice(0, call.indexOf(" ")), call.slice(call.indexOf(" ") + 1)];
    const isLog = what.includes("/pg_wal/");
    if (verb === "sync") {
      unsynced.delete(what);
      if (isReady && isLog) logSyncs += 1;
    } else if (verb === "rename" && what.includes('/database.part", ')) {
      expect([...unsynced].filter(mattersAfterCrash)).toEqual([]);
    } else if (verb === "write" && /\/database(\.part)?\//.test(what)) {
      // Holds the position of the last checkpoint: everything before it must be safe without the log.
      if (what.endsWith("/database/global/pg_control")) expect([...unsynced].filter(mattersAfterCrash)).toEqual([]);
      unsynced.add(what);
    } else if (verb === "say" && what.includes("ready")) isReady = true;
    else if (verb === "say" && what.includes("acknowledged")) {
      commits += 1;
      expect([...unsynced].filter((file) => file.includes("/pg_wal/"))).toEqual([]);
      expect(logSyncs).toBeGreaterThanOrEqual(commits);
    }
  }
  expect(commits).toBe(COMMITS);
  return { "log syncs per commit": logSyncs / commits };
}

/** PostgreSQL recreates or empties the other files when it starts. */
function mattersAfterCrash(file: string): boolean {
  return !/postmaster\.pid|pg_internal\.init|\/pg_subtrans\/|\/pg_stat\/|\/pg_control$/.test(file);
}

async function traceCalls(dataDir: string): Promise<DiskCalls> {
  const trace = `${dataDir}.trace`;
  const calls = "trace=write,pwrite64,pwritev,writev,fsync,fdatasync,rename";
  await execa("strace", ["-f", "-y", "-o", trace, "-e", calls, process.execPath, WRITE_LOAD, dataDir, `${COMMITS}`]);
  const lines = (await readFile(trace, "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [, call, handle, file, rest] = /^\d+ +(\w+)\((\d+)<([^>]*)>(.*)$/.exec(line) ?? [];
    const renamed = /^\d+ +rename\((.*)$/.exec(line)?.[1];
    if (renamed !== undefined) return [`rename ${renamed}`];
    if (!call) return [];
    if (handle === "1") return [`say ${rest}`];
    return [`${call.includes("sync") ? "sync" : "write"} ${file}`];
  });
}

async function hookCalls(dataDir: string): Promise<DiskCalls> {
  const list = `${dataDir}.calls`;
  await execa(process.execPath, ["--import", WATCH, WRITE_LOAD, dataDir, `${COMMITS}`], { env: { DISK_CALLS: list } });
  // The folder's initial creation is synced by calls that this hook does not see; strace sees them.
  return (await readFile(list, "utf8")).split("\n").filter((call) => !call.includes("/database.part"));
}

function mayTrace(): boolean {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
