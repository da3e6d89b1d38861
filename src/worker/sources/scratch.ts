/** Scratch folders, and what a killed worker left of them. */
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** A new folder for one attempt at one video. Dispose of it in the end. */
export async function makeScratch(root: string, name: string): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, `${name}-`));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Ends processes that still work inside `root` and empties it. Only for the sole worker on the data directory, before
 * its first claim: whatever works there belongs to a worker that was killed. Returns the ids of the processes ended.
 */
export async function sweepScratch(root: string): Promise<number[]> {
  const ended: number[] = [];
  for (const pid of await processesNaming(`${path.resolve(root)}${path.sep}`)) {
    try {
      process.kill(pid, "SIGKILL");
      ended.push(pid);
    } catch {
      // It ended by itself between the look and the signal.
    }
  }
  await rm(root, { recursive: true, force: true });
  return ended;
}

/** Processes with `text` on their command line. Linux only: elsewhere there is no /proc, and none are found. */
async function processesNaming(text: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const commandLines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, i) => commandLines[i]!.includes(text));
}
