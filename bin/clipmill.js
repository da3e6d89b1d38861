#!/usr/bin/env node
// Runs Clipmill on the Node that comes with the project, whatever Node the machine has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 26;
const PROGRAMS = ["start", "server", "worker", "redirector"];
// By default, glibc keeps freed memory in gaps between small allocations: 20 to 35 MB of an idle Clipmill. With these
// settings, which it reads when a process starts, allocations above 32 kB have pages of their own.
const RETURN_MEMORY = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "32768" };

const isNew = Number(process.versions.node.split(".")[0]) >= OLDEST_NODE;
const keepsMemory = process.platform === "linux" && PROGRAMS.includes(process.argv[2]);

if (!isNew) {
  const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(bundled)) {
    console.error("Clipmill needs Node 26. Run `npm ci` to install it.");
    process.exit(1);
  }
  restart(bundled);
} else if (keepsMemory && process.env.MALLOC_ARENA_MAX === undefined) {
  restart(process.execPath);
} else {
  // Half of a start's CPU time goes into stripping types and compiling, with the same result each time. Cached where
  // nobody else can write.
  const { enableCompileCache } = await import("node:module");
  const { setFlagsFromString } = await import("node:v8");
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  // Optimizing functions of the embedded PostgreSQL takes a fifth of a start's CPU time. This starts optimizing 30
  // times later than the default, only for functions that keep running.
  setFlagsFromString("--wasm-tiering-budget=400000000");
  // Keeps the young generation of the heap small; otherwise it fills 60 MB with garbage before an idle process collects
  // it.
  setFlagsFromString("--semi-space-growth-factor=1");
  await import("../src/cli.ts");
}

function restart(node) {
  const line = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...process.env, ...(keepsMemory && RETURN_MEMORY) };
  if (process.execve && process.platform !== "win32") process.execve(node, [node, ...line], env);
  const child = spawn(node, line, { env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}
