import { execFileSync } from "node:child_process";

/** Mounts a disk of 1 MB at a folder; false where this process may not. */
export function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export function unmountSmallDisk(at: string): void {
  execFileSync("/bin/umount", [at]);
}
