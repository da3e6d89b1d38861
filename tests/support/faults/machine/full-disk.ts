import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { mountSmallDisk, unmountSmallDisk } from "./small-disk.ts";

export type FullDisk = Disposable & {
  fill(leftBytes?: number): void;
  clear(): void;
};

/** Mounts a small disk at a folder, which it creates if missing. Dispose to unmount. */
export function openFullDisk(at: string, megabytes: number): FullDisk {
  mkdirSync(at, { recursive: true });
  if (!mountSmallDisk(at, megabytes)) throw new Error(`No disk could be mounted at ${at}.`);
  const filler = path.join(at, ".filler");
  return {
    fill(leftBytes = 0) {
      const { bavail, bsize } = statfsSync(at);
      const bytes = Math.floor(bavail * bsize - leftBytes);
      if (bytes <= 0) return;
      // Fails harmlessly if another process uses up space in the meantime.
      execFileSync("/bin/sh", ["-c", `head -c ${bytes} /dev/zero >> "$1" || true`, "sh", filler], { stdio: "ignore" });
    },
    clear: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => unmountSmallDisk(at),
  };
}

export function diskMountProblem(): string | false {
  const at = mkdtempSync(path.join(os.tmpdir(), "clipmill-mount-"));
  try {
    if (!mountSmallDisk(at)) return "needs the right to mount";
    unmountSmallDisk(at);
    return false;
  } finally {
    rmdirSync(at);
  }
}
