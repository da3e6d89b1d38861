/**
 * Saves the last worker's id in the data directory. Once another worker holds the directory's lock, that one is dead,
 * so its heartbeat need not time out. Host names prove nothing: containers and machines may share one.
 */
import { readFile, writeFile } from "node:fs/promises";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns null without a valid id, for example after a power cut. */
export async function readLastWorkerId(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return UUID.test(text) ? text : null;
}

/** Does not sync the file. */
export async function writeLastWorkerId(file: string, id: string): Promise<void> {
  await writeFile(file, id, { mode: 0o600 });
}
