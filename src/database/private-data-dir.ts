/** Keeps the data directory to the user that Clipmill runs as: it holds sessions, keys and everything that jobs make. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** There once everything in the directory was tightened; what came later was created under the umask of `src/cli.ts`. */
const TIGHTENED = "private";

/**
 * Creates the data directory where it is missing, and closes it to other users: folders 0700, files 0600. What an older
 * version left open is tightened, once. Throws ClipmillError "invalid" when the directory belongs to another user or
 * stays open to others, as PostgreSQL refuses such a directory.
 */
export function makeDataDirPrivate(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
  // Windows has other permissions, which the folder inherits from the user's own.
  if (process.platform === "win32") return;
  const { uid, mode } = statSync(dataDir);
  if (uid !== process.geteuid!()) throw foreign(dataDir, uid);
  const isOpen = (mode & OTHERS) !== 0;
  if (isOpen) closeFolder(dataDir);
  const mark = path.join(dataDir, TIGHTENED);
  if (!isOpen && existsSync(mark)) return;
  tighten(dataDir);
  writeMark(mark);
}

function closeFolder(dataDir: string): void {
  try {
    chmodSync(dataDir, OWNER_ONLY);
  } catch (cause) {
    throw staysOpen(dataDir, cause);
  }
  // File systems without permissions accept the change and do nothing.
  if ((statSync(dataDir).mode & OTHERS) !== 0) throw staysOpen(dataDir);
}

/** On a full disk there is no mark, and the next start looks through the folder again. */
function writeMark(mark: string): void {
  try {
    writeFileSync(mark, "", { mode: 0o600 });
  } catch {}
}

/** Takes all rights of others from everything below a folder. Links are not followed: what they lead to is not ours. */
function tighten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const entry = path.join(folder, name);
    try {
      const stats = lstatSync(entry);
      if (stats.isSymbolicLink()) continue;
      if ((stats.mode & OTHERS) !== 0) chmodSync(entry, stats.mode & 0o700);
      if (stats.isDirectory()) tighten(entry);
    } catch (error) {
      // Another program of this directory has removed it, or it was put here by another user: the folder above is closed.
      if (!["ENOENT", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

/** The refusal of a folder that this process cannot write to. */
export function unwritable(dataDir: string, cause: unknown): ClipmillError {
  const sentence = `The folder ${path.resolve(dataDir)} is not writable; set DATA_DIR to another folder.`;
  return new ClipmillError("invalid", sentence, { cause });
}

function foreign(dataDir: string, uid: number): ClipmillError {
  const sentence = `The folder ${path.resolve(dataDir)} belongs to another user (uid ${uid}); run Clipmill as that user, or set DATA_DIR to another folder.`;
  return new ClipmillError("invalid", sentence);
}

function staysOpen(dataDir: string, cause?: unknown): ClipmillError {
  const sentence = `Other users can open the folder ${path.resolve(dataDir)}, and its file system does not support changing that; set DATA_DIR to a folder on another file system.`;
  return new ClipmillError("invalid", sentence, { cause });
}
