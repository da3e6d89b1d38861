import { open, rm } from "node:fs/promises";
import { renameSynced } from "./sync-files.ts";

/**
 * Replaces a file atomically, readable only by its owner. Resolves once on disk. Throws the system's error; the old
 * file is then unchanged, unless only the folder's sync failed.
 */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeSynced(part, content);
    await renameSynced(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function writeSynced(file: string, content: string | Uint8Array): Promise<void> {
  await using handle = await open(file, "w", 0o600);
  await handle.writeFile(content);
  await handle.sync();
}
