import { ClipmillError } from "#contract/errors.ts";
import { isDiskFull } from "#ground/disk-space.ts";

const CLOSED = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

/** Explains a full or unwritable disk; returns other errors unchanged. */
export function explainDiskError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (isDiskFull(error)) {
    const sentence = `The disk that holds ${folder} is full. Free some space, then run this again.`;
    return new ClipmillError("no_space", sentence, { cause: error });
  }
  const code = String(error.code);
  // Reading elsewhere fails with the same codes.
  if (CLOSED.has(code) && "path" in error && String(error.path).startsWith(folder)) {
    return new ClipmillError("invalid", `The folder ${folder} is not writable (${code}).`, { cause: error });
  }
  return error;
}
