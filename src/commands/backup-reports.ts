import path from "node:path";
import type { BackupReport } from "#operations/backup/back-up.ts";
import type { MoveReport } from "#operations/backup/move.ts";
import type { RestoreReport } from "#operations/backup/restore.ts";
import { hasAppSecret } from "#programs/first-start/app-secret.ts";
import type { Config } from "../config.ts";

export function printBackup(folder: string, { tables, rows, files, secrets, snapshotSeconds }: BackupReport): void {
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
export function printRestore(
  { madeAt, rows, files, absentFiles, access, stopped }: RestoreReport,
  config: Config,
): void {
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
export function printMove(
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
