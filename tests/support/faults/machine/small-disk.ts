import { execFileSync } from "node:child_process";

/** Returns false without the permission. */
export function mountSmallDisk(at: string, megabytes = 1): boolean {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Throws if umount fails. */
export function unmountSmallDisk(at: string): void {
  execFileSync("/bin/umount", [at]);
}
