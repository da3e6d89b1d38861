/** Keeps the temporary files of a test run in memory. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { unmountSmallDisk } from "./faults/machine/small-disk.ts";

const IN_MEMORY = "/dev/shm";
/** Several times a run's peak; a container's default is 64 MB. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;
const PREFIX = "clipmill-tests-";
/** Set once a run has chosen its folder, because its processes may load the configuration again. */
const TEMPLATES = "TEST_TEMPLATES";

/**
 * Points TMPDIR to a folder in memory where Linux has room for it, and removes the folder when this process exits. A
 * run creates and deletes hundreds of thousands of files (300 per PostgreSQL database), which takes a sixth of its CPU
 * time on a disk.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env[TEMPLATES] !== undefined || !hasRoom()) return;
  process.env[TEMPLATES] = os.tmpdir();
  removeLeftovers();
  const folder = path.join(IN_MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // Like /tmp: PostgreSQL may run as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** Its files outlive the run. */
export function templatesFolder(): string {
  return process.env[TEMPLATES] ?? os.tmpdir();
}

function hasRoom(): boolean {
  if (process.platform !== "linux" || !existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Removes the folders of runs that were killed, with the disks mounted there. */
function removeLeftovers(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    if (!name.startsWith(PREFIX) || existsSync(`/proc/${name.slice(PREFIX.length)}`)) continue;
    try {
      removeWithDisks(path.join(IN_MEMORY, name));
    } catch {
      // another process is removing it, or the next run will
    }
  }
}

function removeWithDisks(folder: string): void {
  for (const [, at] of readFileSync("/proc/mounts", "utf8").matchAll(/^\S+ (\S+)/gm)) {
    if (at!.startsWith(`${folder}/`)) unmountSmallDisk(at!);
  }
  rmSync(folder, { recursive: true, force: true });
}
