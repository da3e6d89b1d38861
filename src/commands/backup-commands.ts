import path from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { openDatabase } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import type { BackupReport } from "#operations/backup/back-up.ts";
import { move, type MoveReport, type MoveTarget } from "#operations/backup/move.ts";
import { restore, type RestoreReport } from "#operations/backup/restore.ts";
import {
  backUpInstallation,
  type BackupRequest,
  fileSource,
  openInstallation,
  UNFINISHED_FOLDERS,
} from "#programs/backups/backup-installation.ts";
import { copySecretFiles, hasAppSecret, readAppSecrets } from "#programs/first-start/app-secret.ts";
import { openConfigured } from "#programs/open-configured.ts";
import { openStorage } from "#storage/open-storage.ts";
import { readS3Location } from "#storage/s3/s3-location.ts";
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
  if (location && "problem" in location) throw new ClipmillError("invalid", `--storage ${location.problem}.`);
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

function printBackup(folder: string, { tables, rows, files, secrets, snapshotSeconds }: BackupReport): void {
  console.log(`Backed up to ${folder}: ${count(tables, "table")} with ${count(rows, "row")}${aboutFiles(files)}.`);
  console.log(`The database snapshot took ${snapshotSeconds.toFixed(1)} s.`);
  if (files?.linked) {
    console.log(`Hard-linked to the installation: ${count(files.linked, "file")}. Copy the folder to another disk.`);
  }
  if (files?.missing) console.log(`Missing from storage and from this backup: ${count(files.missing, "file")}.`);
  for (const key of files?.damaged ?? [])
    console.log(`The stored file ${key} is damaged, and so is its copy in the backup.`);
  console.log(aboutSecrets(secrets));
}

function aboutFiles(files: BackupReport["files"]): string {
  return files ? ` and ${count(files.copied, "file")} (${inMegabytes(files.totalBytes)} MB)` : "; files were skipped";
}

function aboutSecrets({ appSecret, sealed }: BackupReport["secrets"]): string {
  const holds = `The backup contains password hashes, sessions and ${count(sealed, "encrypted secret")}`;
  const needed = "without it, they can't be decrypted";
  if (appSecret === "held")
    return `${holds}, and the app secret that decrypts them. Protect it like the keys themselves.`;
  if (appSecret === "left out")
    return `${holds}, but not the app secret. Keep the file app-secret elsewhere; ${needed}.`;
  return `${holds}, but not APP_SECRET, which is set in the environment. Keep it elsewhere; ${needed}.`;
}

/**
 * Prints to stdout. With a database server and no APP_SECRET, adds the assignment that programs with another DATA_DIR
 * need.
 */
function printRestore({ madeAt, rows, files, absentFiles, access, stopped }: RestoreReport, config: Config): void {
  console.log(
    `Restored the backup of ${madeAt}: ${count(rows, "row")}${files ? ` and ${count(files.put + files.found, "file")}` : ""}, all verified.`,
  );
  for (const key of files?.damaged ?? []) console.log(`Skipped (damaged): ${key}`);
  if (absentFiles > 0) {
    console.log(
      `Referenced by jobs or the library but missing from storage: ${count(absentFiles, "file")}. Downloading them will fail.`,
    );
  }
  console.log("Everyone must sign in again. Accounts, passwords and second steps are those of the backup.");
  const { apiTokens, guestLinks } = access;
  if (apiTokens + guestLinks > 0) {
    console.log(
      `Valid again, even if revoked after the backup: ${count(apiTokens, "API token")} and ${count(guestLinks, "guest link")}. Revoke those that should have no access.`,
    );
  }
  const { watchFolders, postizDestinations } = stopped;
  if (watchFolders > 0) {
    console.log(
      `Paused: ${count(watchFolders, "watch folder")}. Files that arrived since the backup become jobs again.`,
    );
  }
  if (postizDestinations > 0) {
    console.log(
      `Turned off: ${count(postizDestinations, "Postiz destination")}. Before you retry a delivery, delete the posts made since the backup, or it makes them again.`,
    );
  }
  if (config.DATABASE_URL && config.APP_SECRET === undefined) {
    console.log(`Programs with a different DATA_DIR need this secret: ${secretAssignment(config)}`);
  }
  console.log(
    "Start Clipmill now. Waiting and running jobs resume automatically. Publish once to update the redirector.",
  );
}

/**
 * Prints the variables that select the new installation to stdout: the database URL without its password, and
 * APP_SECRET as a shell expression that reads its file.
 */
function printMove(
  { tables, rows, files }: MoveReport,
  { to, storage }: { to?: string; storage?: string },
  config: Config,
): void {
  if (to !== undefined) {
    console.log(`Copied ${count(tables, "table")} with ${count(rows, "row")}; row counts and checksums match.`);
  }
  if (files) {
    const found = files.found > 0 ? `, ${files.found} of them in an earlier run` : "";
    console.log(
      `Copied ${count(files.put + files.found, "file")}${found}; sizes and checksums were verified by reading each file back.`,
    );
    if (files.missing > 0) console.log(`Missing from storage: ${count(files.missing, "file")}.`);
    for (const key of files.damaged) console.log(`Not copied (damaged): ${key}`);
  }
  console.log("This installation was not changed. To use the new one, set:");
  if (to !== undefined) console.log(`  DATABASE_URL='${withoutPassword(to)}'`);
  if (storage !== undefined) console.log(`  STORAGE_URL='${storage}'`);
  console.log(`  ${aboutOwnSecret(config)}`);
  if (storage === undefined && !config.STORAGE_URL)
    console.log(`The files stay in ${path.join(path.resolve(config.DATA_DIR), "files")}.`);
}

function aboutOwnSecret(config: Config): string {
  if (config.APP_SECRET !== undefined) return "APP_SECRET to its current value";
  return hasAppSecret(config, path.resolve(config.DATA_DIR))
    ? secretAssignment(config)
    : "APP_SECRET, which was not found here; without it, saved keys and second steps cannot be decrypted";
}

function secretAssignment({ DATA_DIR }: Config): string {
  return `APP_SECRET="$(cat '${path.join(path.resolve(DATA_DIR), "app-secret")}')"`;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = "…";
  return url.href.replace("%E2%80%A6", "…");
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? noun : plural}`;
}
