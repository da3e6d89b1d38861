import { open, readdir } from "node:fs/promises";
import path from "node:path";

const AT_ONCE = 32;

/** Has every file and folder below `root`, and `root` itself, written to the disk. */
export async function syncTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const waiting = entries.map((entry) => ({
    file: path.join(entry.parentPath, entry.name),
    isFolder: entry.isDirectory(),
  }));
  waiting.push({ file: root, isFolder: true });
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.isFolder) await syncFolder(next.file);
      else await syncFile(next.file, "r+");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Has the names in a folder written to the disk: a file that is renamed into it is safe only then. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder to sync it.
  if (process.platform !== "win32") await syncFile(folder, "r");
}

async function syncFile(file: string, flags: "r" | "r+"): Promise<void> {
  await using handle = await open(file, flags);
  await handle.sync();
}
