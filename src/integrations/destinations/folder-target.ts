import { randomUUID } from "node:crypto";
import { constants, copyFile, link, lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { DISK_FULL_CODES } from "#ground/disk-space.ts";
import { codeOf, hasCode, isMissing } from "#ground/error-code.ts";
import { syncFile, syncFolder } from "#ground/sync-files.ts";
import {
  type ComparedFile,
  type DeliveryTarget,
  type Held,
  PROBE,
  type SentFile,
  temporaryName,
} from "./delivery-target.ts";

type Folder = {
  name: string;
  root: string;
  /** Whether Clipmill may create it. Any other folder may be a missing mount. */
  isOwn: boolean;
};

/**
 * Delivers to a folder, such as a mounted network drive. Throws ClipmillError "source_not_found" if it does not exist.
 */
export async function openFolderTarget(folder: Folder): Promise<DeliveryTarget> {
  const act = <Result>(work: () => Promise<Result>): Promise<Result> => explained(folder, work);
  const root = await act(async () => {
    if (folder.isOwn) await mkdir(folder.root, { recursive: true });
    return await realpath(folder.root);
  });
  const locate = (relative: string) => locateBelow(root, relative);

  return {
    filesAtOnce: 2,
    keepsProgress: false,
    compare: (relative, file) => act(async () => await compareFile((await locate(relative)).target, file)),
    send: (relative, file, { signal, replaces }) =>
      act(async () => {
        const { parent, target } = await locate(relative);
        const temporary = path.join(parent, temporaryName(relative, file));
        // Left by a killed worker; a destination has one delivery at a time.
        await rm(temporary, { force: true });
        try {
          signal.throwIfAborted();
          await copyFile(file.localPath, temporary, constants.COPYFILE_EXCL);
          signal.throwIfAborted();
          await syncFile(temporary);
          await requireSame(temporary, file);
          if (replaces) await rename(temporary, target);
          else await giveName(temporary, target);
        } catch (error) {
          if (hasCode(error, "EEXIST")) return (await compareFile(target, file)) === "same" ? "same" : "other";
          throw error;
        } finally {
          await rm(temporary, { force: true });
        }
        await syncFolder(parent);
        return "same";
      }),
    async abandon(relative, file) {
      const parent = path.dirname(path.join(root, relative));
      await rm(path.join(parent, temporaryName(relative, file)), { force: true }).catch(() => {});
    },
    probe: (relative) =>
      act(async () => {
        const name = `${PROBE.name}-${randomUUID().slice(0, 8)}`;
        const { target } = await locate(relative === "" ? name : `${relative}/${name}`);
        try {
          await writeFile(target, PROBE.content, { flag: "wx" });
        } finally {
          await rm(target, { force: true });
        }
      }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Renames without replacing. A destination has one delivery at a time, so the name stays free after the check. */
async function giveName(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    // Some file systems have no hard links. Unlike link, rename replaces files.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    if (await lstat(target).catch(() => null)) throw Object.assign(new Error("The name is taken."), { code: "EEXIST" });
    await rename(temporary, target);
  }
}

/** Creates the path's folders. Throws ClipmillError "bad_link" if a symbolic link leads out of the root. */
async function locateBelow(root: string, relative: string): Promise<{ parent: string; target: string }> {
  const target = path.resolve(root, relative);
  if (!isBelow(root, target)) throw leadsAway();
  let parent = root;
  for (const part of path.relative(root, path.dirname(target)).split(path.sep)) {
    if (part === "") continue;
    const next = path.join(parent, part);
    await mkdir(next).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
    parent = await realpath(next);
    if (!isBelow(root, parent)) throw leadsAway();
  }
  return { parent, target: path.join(parent, path.basename(target)) };
}

function isBelow(root: string, target: string): boolean {
  return target.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function leadsAway(): ClipmillError {
  return new ClipmillError("bad_link", "The folder leads out of its destination, so nothing was delivered to it.");
}

async function compareFile(target: string, { sizeBytes, sha256 }: ComparedFile): Promise<Held> {
  const found = await lstat(target).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found === null) return "nothing";
  // A link could lead anywhere.
  if (!found.isFile() || found.size !== sizeBytes) return "other";
  return (await sha256OfFile(target)) === sha256 ? "same" : "other";
}

async function requireSame(written: string, file: SentFile): Promise<void> {
  if ((await compareFile(written, file)) === "same") return;
  throw new ClipmillError("unavailable", "A file arrived with a different checksum. It will be sent again.");
}

async function explained<Result>({ name }: Folder, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(name, error);
  }
}

/** Only explains errors of the file system. */
function explain(name: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof ClipmillError || code === null || !(error instanceof Error && "syscall" in error)) return error;
  const details = { facts: { fault: code }, cause: error };
  if (DISK_FULL_CODES.includes(code)) {
    return new ClipmillError(
      "no_space",
      `The disk of the destination "${name}" is full. Free some space, then retry.`,
      details,
    );
  }
  if (["EACCES", "EPERM", "EROFS"].includes(code)) {
    return new ClipmillError(
      "not_shared",
      `Clipmill does not have permission to write to the folder of the destination "${name}".`,
      details,
    );
  }
  if (isMissing(error)) {
    return new ClipmillError(
      "source_not_found",
      `The folder of the destination "${name}" does not exist on the worker's machine. Create or mount it, then retry.`,
      details,
    );
  }
  return new ClipmillError(
    "unavailable",
    `The disk of the destination "${name}" reported an error (${code}).`,
    details,
  );
}
