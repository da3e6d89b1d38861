import { rm } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { type Database, DATABASE_FOLDER } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import { backUp, type BackupReport } from "#operations/backup/back-up.ts";
import type { FileSource } from "#operations/backup/files/copy-files.ts";
import type { AppSecrets } from "#operations/settings/sealed-values.ts";
import type { Storage } from "#storage/storage.ts";
import { openStorage } from "#storage/open-storage.ts";
import { listSecretFiles } from "../first-start/app-secret.ts";
import type { Config } from "../../config.ts";
import { isInstalled, openConfigured } from "../open-configured.ts";

export type BackupRequest = { folder: string; withoutFiles: boolean; withoutSecret: boolean };

export const UNFINISHED_FOLDERS = { restore: "restoring", move: "moving" } as const;

/** Requires sole use of the data directory. */
export async function removeUnfinishedFolders(dataDir: string): Promise<void> {
  for (const name of Object.values(UNFINISHED_FOLDERS))
    await rm(path.join(dataDir, name), { recursive: true, force: true });
}

/** Uses APP_SECRET and PREVIOUS_APP_SECRET, or the secret files, and the terminal as actor. Throws like `backUp`. */
export function backUpInstallation(
  { config, dataDir, database, storage }: { config: Config; dataDir: string; database: Database; storage: Storage },
  { folder, withoutFiles, withoutSecret }: BackupRequest,
  signal?: AbortSignal,
): Promise<BackupReport> {
  const source = {
    db: database.db,
    files: withoutFiles ? null : fileSource(config, storage),
    secret:
      config.APP_SECRET === undefined ? { files: listSecretFiles(dataDir) } : ofEnvironment(config.APP_SECRET, config),
    leavesSecretOut: withoutSecret,
    actor: TERMINAL,
  };
  return backUp(source, folder, signal);
}

function ofEnvironment(current: string, { PREVIOUS_APP_SECRET: before }: Config): AppSecrets {
  return { current, previous: before === undefined ? [] : [before] };
}

export function describeStartOver({ isEmbedded }: Pick<Database, "isEmbedded">, dataDir: string): string {
  return isEmbedded ? `remove ${path.join(dataDir, DATABASE_FOLDER)}` : "drop and recreate the database";
}

export function fileSource(config: Pick<Config, "STORAGE_URL">, storage: Storage): FileSource {
  return { storage, isFolder: config.STORAGE_URL === undefined };
}

/** Opens an installation for reading, even a running one if `isShared`. Throws ClipmillError "not_found". */
export async function openInstallation(
  config: Config,
  { isShared = false }: { isShared?: boolean } = {},
): Promise<{ config: Config; dataDir: string; database: Database; storage: Storage } & AsyncDisposable> {
  const dataDir = path.resolve(config.DATA_DIR);
  if (!config.DATABASE_URL && !isInstalled(dataDir)) {
    throw new ClipmillError("not_found", `There is no installation in ${dataDir}. Set DATA_DIR to its folder.`);
  }
  await using stack = new AsyncDisposableStack();
  const database = await openConfigured(config, { isShared });
  stack.defer(() => database.close());
  const storage = await openStorage(config.STORAGE_URL, dataDir);
  const open = stack.move();
  return { config, dataDir, database, storage, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
