import type { Stats } from "ssh2";
import { ClipmillError } from "#contract/errors.ts";
import type { RemoteEntry } from "../remote-store.ts";
import type { SftpSession } from "./connect-sftp.ts";

export type SftpFacts = { sizeBytes: number; isFolder: boolean; isFile: boolean; modifiedAt: string };

/** Follows links. Returns null for a missing file. */
export async function statOrNull(session: SftpSession, path: string): Promise<SftpFacts | null> {
  try {
    return factsOf(await session.call<Stats>((done) => session.sftp.stat(path, done)));
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "source_not_found") return null;
    throw error;
  }
}

export function factsOf(stats: Pick<Stats, "size" | "mtime" | "isDirectory" | "isFile">): SftpFacts {
  return {
    sizeBytes: stats.size,
    isFolder: stats.isDirectory(),
    isFile: stats.isFile(),
    modifiedAt: new Date(stats.mtime * 1000).toISOString(),
  };
}

export function toEntry(folder: string, name: string, { sizeBytes, isFolder, modifiedAt }: SftpFacts): RemoteEntry {
  return {
    id: `${folder}/${name}`,
    name,
    isFolder,
    sizeBytes: isFolder ? null : sizeBytes,
    modifiedAt,
    checksum: null,
    isVideo: null,
  };
}
