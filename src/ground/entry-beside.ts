import path from "node:path";

/**
 * Returns the module beside `importer` that a child process or thread runs. vite.programs.config.ts gives it the same
 * name in the bundle, whose files are all in one folder.
 */
export function entryBeside(importer: ImportMeta, name: string): string {
  return path.join(importer.dirname, name + path.extname(importer.filename));
}
