/** A small disk that a test fills and clears again. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { mountSmallDisk, unmountSmallDisk } from "./small-disk.ts";

export type FullDisk = Disposable & {
  /** Fills it with a file of its own, but for so many bytes. */
  fill(leftBytes?: number): void;
  /** Makes room again: the file is deleted. */
  clear(): void;
};

/** Mounts a disk of so many megabytes at a folder, made where it is missing. Dispose of it in the end. */
export function openFullDisk(at: string, megabytes: number): FullDisk {
  mkdirSync(at, { recursive: true });
  if (!mountSmallDisk(at, megabytes)) throw new Error(`No disk could be mounted at ${at}.`);
  const filler = path.join(at, ".filler");
  return {
    fill(leftBytes = 0) {
      const { bavail, bsize } = statfsSync(at);
      const bytes = Math.floor(bavail * bsize - leftBytes);
      if (bytes <= 0) return;
      // What another process writes meanwhile may leave less than was counted; the file is then as large as it gets.
      execFileSync("/bin/sh", ["-c", `head -c ${bytes} /dev/zero >> "$1" || true`, "sh", filler], { stdio: "ignore" });
    },
    clear: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => unmountSmallDisk(at),
  };
}

/** Says why disks cannot be mounted here; false where they can. */
export function whyNoDisks(): string | false {
  const at = mkdtempSync(path.join(os.tmpdir(), "clipmill-mount-"));
  try {
    if (!mountSmallDisk(at)) return "needs the right to mount";
    unmountSmallDisk(at);
    return false;
  } finally {
    rmdirSync(at);
  }
}
