import { lstat, mkdir, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { isMissing } from "#ground/error-code.ts";

export type LocalRoots = {
  /** DATA_DIR/watch: each folder in it can be watched. */
  managed: string;
  /** WATCH_FOLDERS: absolute paths by name, which take precedence. */
  named: ReadonlyMap<string, string>;
};

/** No separator and no leading dot, so that it never names another folder. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

export function isLocalName(name: string): boolean {
  return NAME.test(name) && !name.endsWith(".") && name === name.trim();
}

export async function listLocalNames(roots: LocalRoots): Promise<string[]> {
  const found = await readdir(roots.managed, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  // A link is no folder here: it may lead anywhere.
  const managed = found.filter((entry) => entry.isDirectory() && isLocalName(entry.name)).map(({ name }) => name);
  return [...new Set([...roots.named.keys(), ...managed])].toSorted((a, b) => a.localeCompare(b, "en"));
}

/** Returns the real path. Throws ClipmillError "source_not_found". */
export async function findLocalFolder(roots: LocalRoots, name: string): Promise<string> {
  const named = roots.named.get(name);
  if (named === undefined && !isLocalName(name)) throw noFolder(name);
  const folder = named ?? path.join(roots.managed, name);
  try {
    const isFolder = named === undefined ? (await lstat(folder)).isDirectory() : true;
    if (isFolder) return await realpath(folder);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
  }
  throw noFolder(name);
}

/** Creates a folder below DATA_DIR/watch, unless it exists. Throws ClipmillError "invalid" for the name or a link. */
export async function makeLocalFolder(roots: LocalRoots, name: string): Promise<void> {
  if (roots.named.has(name)) return;
  if (!isLocalName(name)) {
    throw new ClipmillError(
      "invalid",
      "The name of a local folder can contain only letters, digits, spaces, dots, hyphens and underscores, and must start with a letter or digit.",
    );
  }
  const folder = path.join(roots.managed, name);
  await mkdir(folder, { recursive: true });
  if ((await lstat(folder)).isDirectory()) return;
  throw new ClipmillError(
    "invalid",
    `The folder "${name}" on the server is a symbolic link. List its target in WATCH_FOLDERS.`,
  );
}

function noFolder(name: string): ClipmillError {
  return new ClipmillError("source_not_found", `The folder "${name}" is not on this server. Create it again.`);
}
