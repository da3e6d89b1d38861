/** Data that the embedded database has acknowledged is on the disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const WRITE_LOAD = path.resolve(import.meta.dirname, "../../support/write-load.ts");

const scratch = await makeScratchFolder();

const killed = path.join(scratch, "killed");
const acknowledged = new Set<string>();

testFault(
  {
    id: "sigkill-write-load",
    fault: "SIGKILL a process that writes to the embedded database, at a random moment",
    expected: "every acknowledged row is there after the next start",
    rounds: { short: 1, full: 50 },
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
