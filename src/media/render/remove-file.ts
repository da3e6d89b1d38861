import { unlink } from "node:fs/promises";
import { isMissing } from "#ground/error-code.ts";

/** Ignores a missing file. Node's `rm` would block the event loop to look at the file first. */
export async function removeFile(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
