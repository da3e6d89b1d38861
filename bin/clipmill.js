#!/usr/bin/env node
// Runs Clipmill on the Node that comes with the project, whatever Node the machine has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const OLDEST_NODE = 26;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(bundled)) {
    console.error("Clipmill needs Node 26. Run `npm ci` to install it.");
    process.exit(1);
  }
  runOn(bundled);
} else {
  const { findBuild } = await import("./build.js");
  const bundle = await findBuild("programs");
  // Stack traces name the sources.
  process.setSourceMapsEnabled(true);
  // Without a bundle, Node strips the types of the sources at each start.
  await import(bundle === null ? "../src/cli.ts" : pathToFileURL(path.join(bundle, "cli.js")).href);
}

function runOn(node) {
  const line = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, line, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}
