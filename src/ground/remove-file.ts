import { unlink } from "node:fs/promises";
import { isMissing } from "./error-code.ts";

/** Removes a file that may be missing. Unlike this, Node's `rm` first blocks the event loop for a look at the file. */
export async function removeFile(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
