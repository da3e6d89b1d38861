/**
 * Stores the last worker's id in the data directory. A new holder of the directory's lock need not wait for that
 * worker's heartbeats: it is dead. A host name would not prove this: containers and machines may share one.
 */
import { readFile, writeFile } from "node:fs/promises";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns null without a valid id, for example after a power cut. */
export async function readLastWorkerId(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return UUID.test(text) ? text : null;
}

/** Replaces the stored id without syncing it. Throws the system's error. */
export async function writeLastWorkerId(file: string, id: string): Promise<void> {
  await writeFile(file, id, { mode: 0o600 });
}
