/**
 * Keeps in the data directory which worker was the last on it. Whoever holds the directory's lock knows that one to be gone,
 * although others may still wait for its beats. A host name would not say so: containers and machines may share one.
 */
import { readFile, writeFile } from "node:fs/promises";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null when there was none, or when what is there is no id, as after a power cut. */
export async function readLastWorkerId(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return UUID.test(text) ? text : null;
}

export async function writeLastWorkerId(file: string, id: string): Promise<void> {
  await writeFile(file, id, { mode: 0o600 });
}
