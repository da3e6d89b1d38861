import { opendir } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";

/**
 * A link in a backup could name any file of this machine, which a restore would then copy into storage. The backup's own
 * path may be a link. Throws ClipmillError "invalid" for a link or a special file at any depth.
 */
export async function refuseLinks(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) continue;
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    const fault = entry.isSymbolicLink()
      ? "a symbolic link. Replace it with a copy of the original"
      : "neither a file nor a folder. Remove it";
    throw new ClipmillError(
      "invalid",
      `The backup contains ${name}, which is ${fault}, then run this again. Nothing was restored.`,
      { facts: { file: name } },
    );
  }
}
