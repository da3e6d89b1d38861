import { open, rename, rm } from "node:fs/promises";
import path from "node:path";

/**
 * Puts a file into place as a whole: whatever happens in between, a reader finds the old one or the new one. It is on
 * the disk when this resolves. Rejects with the system's error; then the old one is there, except when the folder could
 * not be synced: then it is the new one, which a power cut may still undo.
 */
export async function replaceFile(file: string, content: Buffer): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeAndSync(part, content);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

async function writeAndSync(file: string, content: Buffer): Promise<void> {
  await using handle = await open(file, "w", 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** The name of a renamed file is on the disk only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
