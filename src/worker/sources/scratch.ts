/** Creates scratch folders and cleans up after killed workers. */
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** Creates a folder for one attempt at one video. The caller must dispose of it. */
export async function makeScratch(root: string, name: string): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, `${name}-`));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Kills processes that still use `root`, and deletes it. Only for the sole worker on the data directory, before its
 * first claim: any such process belongs to a killed worker. Returns the ids of the killed processes.
 */
export async function sweepScratch(root: string): Promise<number[]> {
  const ended: number[] = [];
  for (const pid of await processesNaming(`${path.resolve(root)}${path.sep}`)) {
    try {
      process.kill(pid, "SIGKILL");
      ended.push(pid);
    } catch {
      // It exited before the signal.
    }
  }
  await rm(root, { recursive: true, force: true });
  return ended;
}

/** Returns the processes with `text` on their command line. Linux only: without /proc it finds none. */
async function processesNaming(text: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const commandLines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, i) => commandLines[i]!.includes(text));
}
