import { accessSync, constants } from "node:fs";
import path from "node:path";

export function findOnPath(name: string): string | null {
  // PATH is a system variable, not a setting.
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return folders.map((folder) => path.join(folder, file)).find(isExecutable) ?? null;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the module beside `importer` that a child process or thread runs. vite.programs.config.ts gives it the same
 * name in the bundle, whose files are all in one folder.
 */
export function entryBeside(importer: ImportMeta, name: string): string {
  return path.join(importer.dirname, name + path.extname(importer.filename));
}
