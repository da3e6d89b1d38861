/** Where uploads arrive, and what looks at them before they are taken into the library. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { UploadUse } from "#contract/library.ts";
import type { Probe } from "#media/probe.ts";
import type { Context } from "../context.ts";

export type UploadIntake = {
  /** Files on their way; nothing in it is ever read as a finished one. */
  folder: string;
  mostBytes: number;
  /** Says what a file holds, or throws ClipmillError with why it cannot be used. */
  probe(path: string, options: { use: UploadUse; signal: AbortSignal }): Promise<Probe>;
};

/** What another process may still be working on is younger. */
const LEFTOVER_MS = 24 * 3_600_000;

/**
 * Makes the folder for uploads on their way, and removes what a killed process left half done, in it and in the library.
 * `isSole`: no other process uses them, so that everything unfinished is a leftover.
 */
export async function prepareIntake(
  context: Pick<Context, "db" | "storage">,
  folder: string,
  isSole: boolean,
): Promise<void> {
  const newest = isSole ? Date.now() : Date.now() - LEFTOVER_MS;
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs <= newest) await rm(file, { force: true });
  }
  const halfStored = await context.db
    .selectFrom("library_files")
    .select(["id", "storage_key"])
    .where("stored_at", "is", null)
    .where("created_at", "<=", new Date(newest).toISOString())
    .execute();
  for (const { id, storage_key: key } of halfStored) {
    await context.storage.removeAll(key);
    await context.db.deleteFrom("library_files").where("id", "=", id).execute();
  }
}
