import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";

/**
 * Installs packages, pinned as `name@version`, in a folder outside the project that later calls use again. No package's
 * script runs, and peer dependencies are left out. Returns the folder.
 */
export async function installFromNpm(name: string, packages: readonly string[]): Promise<string> {
  const versions = packages.map((pinned) => pinned.replace(/^.*@/, "")).join("-");
  const folder = path.join(os.tmpdir(), `clipmill-test-${name}-${versions}`);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  await writeFile(path.join(part, "package.json"), "{}");
  const flags = ["--save-exact", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  await execa("npm", ["install", ...flags, ...packages], { cwd: part });
  await rename(part, folder);
  return folder;
}
