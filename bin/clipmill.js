#!/usr/bin/env node
// Runs Clipmill on the Node that comes with the project, whatever Node the machine has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 26;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(bundled)) {
    console.error("Clipmill needs Node 26. Run `npm ci` to install it.");
    process.exit(1);
  }
  runOn(bundled);
} else {
  // Half of a start's CPU time goes into stripping types and compiling, with the same result each time. Cached where
  // nobody else can write.
  const { enableCompileCache } = await import("node:module");
  const { setFlagsFromString } = await import("node:v8");
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  // Optimizing functions of the embedded PostgreSQL takes a fifth of a start's CPU time. This starts optimizing 30
  // times later than the default, only for functions that keep running.
  setFlagsFromString("--wasm-tiering-budget=400000000");
  await import("../src/cli.ts");
}

function runOn(node) {
  const line = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, line, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}
