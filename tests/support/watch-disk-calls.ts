/**
 * Preloaded (`--import`): records the order of file writes, syncs and output, for machines without strace. Writes the
 * list to the file DISK_CALLS on exit.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const calls: string[] = [];
const paths = new Map<number, string>();
const { openSync, writeSync, fsyncSync, writeFileSync } = fs;

fs.openSync = (file, ...rest) => {
  const handle = openSync(file, ...rest);
  paths.set(handle, String(file));
  return handle;
};
fs.writeSync = ((handle: number, ...rest: [never]) => {
  calls.push(handle === 1 ? `say ${String(rest[0])}` : `write ${paths.get(handle)}`);
  return writeSync(handle, ...rest);
}) as typeof fs.writeSync;
fs.fsyncSync = (handle) => {
  fsyncSync(handle);
  calls.push(`sync ${paths.get(handle)}`);
};
syncBuiltinESMExports();
process.once("exit", () => writeFileSync(process.env["DISK_CALLS"]!, calls.map((call) => call.trim()).join("\n")));
