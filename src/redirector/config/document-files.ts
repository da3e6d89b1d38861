import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { isDiskFull } from "#ground/disk-space.ts";
import { codeOf } from "#ground/error-code.ts";
import { replaceFile } from "#ground/sync-files.ts";

const VERSIONS_KEPT = 10;
const NAME = /^(\d{16})\.jsonl$/;

export type DocumentFiles = {
  /** Newest first. */
  versions(): Promise<number[]>;
  read(version: number): Promise<Buffer>;
  /** Resolves once synced to disk. Throws ClipmillError "no_space" if the document does not fit, else "unavailable". */
  write(version: number, document: Buffer): Promise<void>;
};

/** Each write keeps the 10 newest documents. Throws the system's error. */
export async function openDocumentFiles(folder: string): Promise<DocumentFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = (version: number): string => path.join(folder, `${String(version).padStart(16, "0")}.jsonl`);
  const versions = async (): Promise<number[]> => {
    const names = await readdir(folder);
    const found = names.map((name) => Number(NAME.exec(name)?.[1] ?? 0)).filter((version) => version > 0);
    return found.toSorted((a, b) => b - a);
  };
  const removeOld = async (): Promise<void> => {
    for (const old of (await versions()).slice(VERSIONS_KEPT)) await rm(fileOf(old), { force: true });
  };
  return {
    versions,
    read: (version) => readFile(fileOf(version)),
    async write(version, document) {
      try {
        await replaceFile(fileOf(version), document);
      } catch (cause) {
        // A failed write may leave the file, and a rejected document must not be served after a restart.
        await rm(fileOf(version), { force: true }).catch(() => {});
        throw explainWriteError(cause);
      }
      // The next document retries a failed cleanup.
      await removeOld().catch(() => {});
    },
  };
}

function explainWriteError(cause: unknown): ClipmillError {
  const code = codeOf(cause);
  // EFBIG: the process's file size limit.
  const isFull = isDiskFull(cause) || code === "EFBIG";
  const problem = isFull ? "The redirector's disk is full" : `The redirector could not write its file (${code})`;
  const sentence = `${problem}; it keeps serving the previous version.`;
  return new ClipmillError(isFull ? "no_space" : "unavailable", sentence, { cause });
}
