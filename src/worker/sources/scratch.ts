import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** The caller must dispose of the folder. */
export async function makeScratch(root: string, name: string): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, `${name}-`));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Kills processes that use `root`, left by a killed worker, and deletes it. Only for the sole worker on the data
 * directory, before its first claim. Returns their ids.
 */
export async function sweepScratch(root: string): Promise<number[]> {
  const ended: number[] = [];
  for (const pid of await processesNaming(`${path.resolve(root)}${path.sep}`)) {
    try {
      process.kill(pid, "SIGKILL");
      ended.push(pid);
    } catch {
      // It has already exited.
    }
  }
  await rm(root, { recursive: true, force: true });
  return ended;
}

/** By command line. Linux only: finds none elsewhere. */
async function processesNaming(text: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const commandLines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, i) => commandLines[i]!.includes(text));
}
