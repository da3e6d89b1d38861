import path from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { openDatabase } from "#database/open-database.ts";
import { openConfigured } from "#programs/open-configured.ts";
import { TERMINAL } from "#operations/audit/actor.ts";
import type { BackupReport } from "#operations/backup/back-up.ts";
import { move, type MoveReport, type MoveTarget } from "#operations/backup/move.ts";
import { restore, type RestoreReport } from "#operations/backup/restore.ts";
import { openStorage } from "#storage/open-storage.ts";
import { readS3Location } from "#storage/s3/s3-location.ts";
import { hasAppSecret, readAppSecrets, copySecretFiles } from "#programs/first-start/app-secret.ts";
import {
  backUpInstallation,
  type BackupRequest,
  fileSource,
  openInstallation,
  UNFINISHED_FOLDERS,
} from "#programs/backups/backup-installation.ts";
import { printBackup, printMove, printRestore } from "./backup-reports.ts";
import { type Config, readConfig } from "../config.ts";

type BackupOptions = { withoutFiles?: boolean; withoutSecret?: boolean };
type RestoreOptions = { secretLost?: boolean; skipDamagedFiles?: boolean };
type MoveOptions = { to?: string; storage?: string };

/** On a data directory in use, restore and move throw ClipmillError "conflict". */
export function addBackupCommands(program: Command): void {
  program
    .command("backup <folder>")
    .description("Back up the database, files and secret into an empty folder. Works while Clipmill is running.")
    .option("--without-files", "skip finished files and the library")
    .option("--without-secret", "leave out the secret that decrypts saved keys")
    .action(async (folder: string, { withoutFiles = false, withoutSecret = false }: BackupOptions) => {
      const request = { folder: path.resolve(folder), withoutFiles, withoutSecret };
      printBackup(request.folder, await makeBackup(readConfig(process.env), request));
    });

  program
    .command("restore <folder>")
    .description("Restore a backup into the configured installation, which must be empty.")
    .option("--secret-lost", "restore even if the backup's secret is lost")
    .option("--skip-damaged-files", "skip files that are damaged or missing in the backup")
    .action(async (folder: string, options: RestoreOptions) => {
      const config = readConfig(process.env);
      printRestore(await restoreInto(config, path.resolve(folder), options), config);
    });

  program
    .command("move")
    .description("Copy the embedded installation to a PostgreSQL server, a bucket, or both. Stop Clipmill first.")
    .option("--to <url>", "target database: postgres://user:password@host/name")
    .option("--storage <url>", "target bucket: s3://bucket/prefix?endpoint=…&region=…")
    .action(async (options: MoveOptions) => {
      const config = readConfig(process.env);
      printMove(await moveTo(config, options), options, config);
    });
}

async function makeBackup(config: Config, request: BackupRequest): Promise<BackupReport> {
  await using installation = await openInstallation(config, { isShared: true });
  return await backUpInstallation(installation, request);
}

async function restoreInto(
  config: Config,
  folder: string,
  { secretLost = false, skipDamagedFiles = false }: RestoreOptions,
): Promise<RestoreReport> {
  const dataDir = path.resolve(config.DATA_DIR);
  const database = await openConfigured(config);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => database.close());
  const storage = await openStorage(config.STORAGE_URL, dataDir);
  const hasOwnSecret = hasAppSecret(config, dataDir);
  const holdsSecret = hasAppSecret({}, folder);
  const target = {
    database,
    files: { ...fileSource(config, storage), scratch: path.join(dataDir, UNFINISHED_FOLDERS.restore) },
    secrets: hasOwnSecret
      ? await readAppSecrets(config, dataDir)
      : holdsSecret
        ? await readAppSecrets({}, folder)
        : null,
    isSecretLost: secretLost,
    keepSecret: async () => {
      if (!hasOwnSecret && holdsSecret) await copySecretFiles(folder, dataDir);
    },
    skipsDamagedFiles: skipDamagedFiles,
    actor: TERMINAL,
  };
  return await restore(target, folder);
}

async function moveTo(config: Config, { to, storage }: MoveOptions): Promise<MoveReport> {
  if (to === undefined && storage === undefined) {
    throw new ClipmillError(
      "invalid",
      "Specify a destination: --to postgres://… for the database, --storage s3://… for the files, or both.",
    );
  }
  if (config.DATABASE_URL) {
    throw new ClipmillError(
      "invalid",
      "Only an embedded installation can be moved. Unset DATABASE_URL, then run this again.",
    );
  }
  const isServer = to === undefined || z.url({ protocol: /^postgres(ql)?$/ }).safeParse(to).success;
  if (!isServer) throw new ClipmillError("invalid", "--to must be a URL like postgres://user:password@host/name.");
  const location = storage === undefined ? null : readS3Location(storage);
  if (location && "fault" in location) throw new ClipmillError("invalid", `--storage ${location.fault}.`);
  await using stack = new AsyncDisposableStack();
  const source = stack.use(await openInstallation(config));
  const scratch = path.join(source.dataDir, UNFINISHED_FOLDERS.move);
  const target: MoveTarget = { database: null, files: null, actor: TERMINAL };
  if (to !== undefined) {
    const database = await openDatabase({ databaseUrl: to, dataDir: null });
    stack.defer(() => database.close());
    target.database = database;
  }
  if (location) {
    const bucket = await openStorage(location, source.dataDir);
    target.files = { storage: bucket, isFolder: false, scratch: path.join(scratch, "files") };
  }
  return await move({ db: source.database.db, files: fileSource(config, source.storage) }, target, scratch);
}
