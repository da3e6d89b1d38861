import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** Creates a folder for one attempt; the caller disposes of it. */
export async function makeScratch(root: string, name: string): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, `${name}-`));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Kills processes that use `root` and deletes it. Only for the sole worker on the data directory, before its first
 * claim: these processes belong to a killed worker. Returns their ids.
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

/** Returns processes with `text` on their command line. Linux only: elsewhere none are found. */
async function processesNaming(text: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const commandLines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, i) => commandLines[i]!.includes(text));
}
