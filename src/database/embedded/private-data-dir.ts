import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** Marks a folder whose files are private; newer ones follow the umask of `src/cli.ts`. */
const TIGHTENED = "private";

/**
 * Creates the data directory if missing and removes other users' access. Throws ClipmillError "invalid" if it belongs
 * to another user or stays open to others: PostgreSQL would reject it.
 */
export function makeDataDirPrivate(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
  // Windows folders inherit the permissions of the user's folder.
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
  // File systems without permissions silently ignore the change.
  if ((statSync(dataDir).mode & OTHERS) !== 0) throw staysOpen(dataDir);
}

/** Without the mark, as on a full disk, the next start checks again. */
function writeMark(mark: string): void {
  try {
    writeFileSync(mark, "", { mode: 0o600 });
  } catch {}
}

/** Does not follow links. */
function tighten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const entry = path.join(folder, name);
    try {
      const stats = lstatSync(entry);
      if (stats.isSymbolicLink()) continue;
      if ((stats.mode & OTHERS) !== 0) chmodSync(entry, stats.mode & 0o700);
      if (stats.isDirectory()) tighten(entry);
    } catch (error) {
      // Removed or owned by another user; the closed parent folder protects it.
      if (!["ENOENT", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

export function unwritable(dataDir: string, cause: unknown): ClipmillError {
  const sentence = `The folder ${path.resolve(dataDir)} is not writable; set DATA_DIR to another folder.`;
  return new ClipmillError("invalid", sentence, { cause });
}

function foreign(dataDir: string, uid: number): ClipmillError {
  const sentence = `The folder ${path.resolve(dataDir)} belongs to another user (uid ${uid}); run Clipmill as that user, or set DATA_DIR to another folder.`;
  return new ClipmillError("invalid", sentence);
}

function staysOpen(dataDir: string, cause?: unknown): ClipmillError {
  const sentence = `Other users can open the folder ${path.resolve(dataDir)}, and its file system does not support changing permissions; set DATA_DIR to a folder on another file system.`;
  return new ClipmillError("invalid", sentence, { cause });
}
