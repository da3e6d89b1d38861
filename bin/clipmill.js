#!/usr/bin/env node
// Runs Clipmill on the Node that comes with the project, whatever Node the machine has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 26;

if (Number(process.versions.node.split(".")[0]) >= OLDEST_NODE) {
  // Half of what a start computes is to strip types and compile, each time the same. Kept where nobody else writes.
  const { enableCompileCache } = await import("node:module");
  const { setFlagsFromString } = await import("node:v8");
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  // A fifth of a start's CPU time optimizes functions of the embedded PostgreSQL. This does so 30 times later than the
  // default, only for functions that keep running.
  setFlagsFromString("--wasm-tiering-budget=400000000");
  // Keeps the young generation of the heap small: it would fill 60 MB with garbage before an idle process collects it.
  setFlagsFromString("--semi-space-growth-factor=1");
  await import("../src/cli.ts");
} else {
  const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(bundled)) {
    console.error("Clipmill needs Node 26. Run `npm ci` to install it.");
    process.exit(1);
  }
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}
