import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { hasCode, isMissing } from "#ground/error-code.ts";
import type { ActorContext } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { receiveUpload } from "../../library/receive-upload.ts";
import type { UploadIntake } from "../../library/upload-intake.ts";
import { findLocalFolder, type LocalRoots } from "./local-folders.ts";
import { revisionOf } from "./list-local-files.ts";
import { locateFile } from "./local-path.ts";

type CopyContext = Pick<Context, "db" | "storage" | "links"> & ActorContext;

/** Never waits for a pipe that replaced the file, and never follows a link. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type LocalFile = {
  place: string;
  path: string;
  revision: string;
  name: string;
  use: "video" | "subtitles";
};

/**
 * For workers on all machines. Returns the link; null if the file is no longer the listed version, or changes while it
 * is read. Throws like receiveUpload, and ClipmillError "forbidden" without the right to read it.
 */
export async function copyToLibrary(
  context: CopyContext,
  { intake, roots, signal }: { intake: UploadIntake; roots: LocalRoots; signal: AbortSignal },
  file: LocalFile,
): Promise<string | null> {
  const handle = await openFile(locateFile(await findLocalFolder(roots, file.place), file.path));
  if (!handle) return null;
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || revisionOf(stats) !== file.revision) return null;
    const body = readUnchanged(handle, file.revision);
    const upload = { name: file.name, use: file.use, announcedBytes: Number(stats.size), body, signal };
    return (await receiveUpload(context, intake, upload)).data.link;
  } catch (error) {
    if (error instanceof ChangedError) return null;
    throw explain(error);
  } finally {
    await handle.close();
  }
}

class ChangedError extends Error {}

/** Throws ChangedError at the end if the file was written meanwhile: the bytes may belong to two versions. */
async function* readUnchanged(handle: FileHandle, revision: string): AsyncGenerator<Uint8Array> {
  yield* handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Uint8Array>;
  if (revisionOf(await handle.stat({ bigint: true })) !== revision) throw new ChangedError("changed while read");
}

/** Null for a file that was moved away or replaced by a link. */
async function openFile(file: Buffer): Promise<FileHandle | null> {
  try {
    return await open(file, FLAGS);
  } catch (error) {
    if (isMissing(error) || hasCode(error, "ELOOP")) return null;
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (!hasCode(error, "EACCES", "EPERM", "EIO", "ESTALE")) return error;
  const why = hasCode(error, "EACCES", "EPERM")
    ? "Clipmill does not have permission to read this file."
    : "This file cannot be read.";
  return new ClipmillError("forbidden", why, { cause: error });
}
