import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { forEachAtOnce } from "./slots.ts";

const AT_ONCE = 32;

/** A new file's name must also be synced: see `syncFolder`. Throws the system's error. */
export async function syncFile(file: string): Promise<void> {
  await sync(file, "r+");
}

/** A renamed file is durable only after this. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder to sync it.
  if (process.platform !== "win32") await sync(folder, "r");
}

/** Includes everything below `root`, but not its name in the parent folder. Throws the system's error. */
export async function syncTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  await forEachAtOnce(entries, AT_ONCE, async (entry) => {
    const at = path.join(entry.parentPath, entry.name);
    await (entry.isDirectory() ? syncFolder(at) : syncFile(at));
  });
  await syncFolder(root);
}

/** On the same disk. The content must be synced first. */
export async function renameSynced(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(path.dirname(to));
}

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

export async function makeFolderSynced(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true });
  if (firstMade === undefined) return;
  for (let made = folder; made.length >= firstMade.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

async function sync(at: string, flags: "r" | "r+"): Promise<void> {
  await using handle = await open(at, flags);
  await handle.sync();
}

async function writeSynced(file: string, content: string | Uint8Array): Promise<void> {
  await using handle = await open(file, "w", 0o600);
  await handle.writeFile(content);
  await handle.sync();
}
