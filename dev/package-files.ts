import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Adds files to a package that Vite builds, by their path in the package. */
export function packageFiles(files: Record<string, string>): Plugin {
  return {
    name: "package-files",
    generateBundle() {
      for (const [fileName, file] of Object.entries(files)) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(file) });
      }
    },
  };
}
