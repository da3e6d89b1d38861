import type { Kysely } from "kysely";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { readSchemaState } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { syncTree } from "#ground/sync-files.ts";
import type { Actor } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { VERSION } from "../fleet/version.ts";
import { type AppSecrets, isSameSecret } from "../settings/secret-fingerprint.ts";
import { copyFiles, type CopiedFiles, FILES_FOLDER, type FileSource, type KeptFile } from "./files/copy-files.ts";
import { dumpDatabase, TABLES_FOLDER } from "./database/dump-database.ts";
import { explainDiskFault } from "./explain-disk-fault.ts";
import { writeLineFile } from "./database/line-file.ts";
import { MANIFEST, type Manifest, writeManifest } from "./manifest.ts";

/** What is backed up. */
export type BackupSource = {
  db: Kysely<Tables>;
  /** Null leaves the files where they are. */
  files: FileSource | null;
  /** The app secret: files that hold it, the first of them the current one, or what the environment sets. */
  secret: { files: string[] } | AppSecrets;
  leavesSecretOut: boolean;
  /** Who asked for the backup, for the audit log. Null for one that Clipmill makes by itself. */
  actor: Actor | null;
};

export type BackupReport = {
  rows: number;
  tables: number;
  /** Null where the files stayed where they are. */
  files: (Omit<CopiedFiles, "files"> & { copied: number }) | null;
  secrets: Manifest["secrets"];
  snapshotSeconds: number;
};

/** In a folder until its backup is whole: what a killed backup left is known by it, and cleared away by the next. */
const UNFINISHED = "clipmill-backup-unfinished";
/** Keeps two backups out of one folder, for as long as one is made. */
const LOCK = "lock";
const LOCKS = new Set([LOCK, `${LOCK}-journal`]);
const FILE_LIST = "files.jsonl.gz";
/** What a broken-off backup may hold; a folder with anything else is somebody's own. */
const OWN_NAMES = new Set([
  UNFINISHED,
  FILE_LIST,
  FILES_FOLDER,
  TABLES_FOLDER,
  "app-secret",
  "app-secret.next",
  `${MANIFEST}.part`,
]);

/**
 * Makes a backup in `folder`, which must be empty, or not there, or hold a backup that was broken off. The database is read
 * as it is at one moment; then come the files that it names. One that fails leaves the folder empty. Throws ClipmillError
 * "conflict" for a folder in use, "not_found" when there is nothing yet, "no_space" on a full disk, and "unauthorized" when
 * the secret is not the one of the database.
 */
export async function backUp(source: BackupSource, folder: string, signal?: AbortSignal): Promise<BackupReport> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const release = lockFolder(folder);
    try {
      return await makeIn(folder, () => fill(source, folder, signal));
    } finally {
      release();
      await rm(path.join(folder, LOCK), { force: true });
    }
  } catch (error) {
    throw explainDiskFault(error, folder);
  }
}

async function makeIn<Result>(folder: string, make: () => Promise<Result>): Promise<Result> {
  await prepareFolder(folder);
  try {
    return await make();
  } catch (error) {
    // The database may be on this disk, too: what filled it has to go.
    await clear(folder).catch(() => {});
    throw error;
  }
}

async function fill(source: BackupSource, folder: string, signal: AbortSignal | undefined): Promise<BackupReport> {
  const { namedFiles, sealed, secretFingerprint, snapshotSeconds, ...database } = await dumpDatabase(
    source.db,
    folder,
    signal,
  );
  const secrets = {
    sealed,
    appSecret: await keepSecret(source, folder, secretFingerprint),
    fingerprint: secretFingerprint,
  };
  const copied = source.files && (await copyFiles(source.files, namedFiles, folder, signal));
  const list = copied && (await writeLineFile(folder, FILE_LIST, linesOf(copied.files), signal));
  // Whatever the manifest names has to be on the disk before it.
  await syncTree(folder);
  await writeManifest(folder, {
    format: 1,
    madeAt: new Date().toISOString(),
    version: VERSION,
    ...database,
    files: copied && list && { list, totalBytes: copied.totalBytes, missing: copied.missing },
    secrets,
  });
  await auditBackup(source, folder);
  await rm(path.join(folder, UNFINISHED));
  return {
    rows: database.tables.reduce((sum, table) => sum + table.rows, 0),
    tables: database.tables.length,
    files: copied && countsOf(copied),
    secrets,
    snapshotSeconds,
  };
}

/** Nothing is written into the database of an older version, which has its own tables. */
async function auditBackup({ db, actor }: BackupSource, folder: string): Promise<void> {
  if (actor === null || !(await readSchemaState(db)).isCurrent) return;
  await writeAudit(db, actor, { action: "backup.create", subjects: [path.basename(folder)] });
}

function countsOf({ files, ...counts }: CopiedFiles): BackupReport["files"] {
  return { ...counts, copied: files.length };
}

function lockFolder(folder: string): () => void {
  try {
    return lockDataDir(folder);
  } catch (cause) {
    if (!(cause instanceof ClipmillError)) throw cause;
    if (cause.code === "invalid")
      throw new ClipmillError("invalid", `The folder ${folder} cannot be written to.`, { cause });
    throw new ClipmillError("conflict", `Another backup is being made in ${folder}.`, { cause });
  }
}

async function prepareFolder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !LOCKS.has(name));
  const isLeftOver = names.includes(UNFINISHED) && names.every((name) => OWN_NAMES.has(name));
  if (names.length > 0 && !isLeftOver) {
    throw new ClipmillError(
      "conflict",
      `${folder} is not empty. Name an empty folder, or one that does not exist yet.`,
    );
  }
  await writeFile(path.join(folder, UNFINISHED), "", { mode: 0o600 });
  await removeIn(folder, names);
}

/** Takes away what a backup has made, its mark last: a kill in between leaves what the next backup clears away. */
async function clear(folder: string): Promise<void> {
  await removeIn(folder, [...OWN_NAMES]);
  await rm(path.join(folder, UNFINISHED), { force: true });
}

async function removeIn(folder: string, names: string[]): Promise<void> {
  for (const name of names) {
    if (name !== UNFINISHED) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** The files a backup holds, as lines of JSON. */
async function* linesOf(files: KeptFile[]): AsyncGenerator<string[]> {
  const sorted = files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const file of sorted) yield [JSON.stringify(file)];
}

/** Copies the secret, and compares it with what the rows of the backup need: it may be another machine's, or a newer one. */
async function keepSecret(
  { secret, leavesSecretOut }: BackupSource,
  folder: string,
  fingerprint: string | null,
): Promise<Manifest["secrets"]["appSecret"]> {
  const isInFiles = "files" in secret;
  if (leavesSecretOut) return isInFiles ? "left out" : "environment";
  const secrets = isInFiles ? await copySecret(secret.files, folder) : secret;
  if (!isSameSecret(fingerprint, secrets)) {
    throw new ClipmillError(
      "unauthorized",
      "This database's secret is not available. Set APP_SECRET or DATA_DIR as its programs do, or run the backup with --without-secret. Nothing was backed up.",
    );
  }
  if (!isInFiles) return "environment";
  return secrets === null ? "left out" : "held";
}

/** Answers what was copied; null where there is nothing to copy. */
async function copySecret(files: string[], folder: string): Promise<AppSecrets | null> {
  const kept: string[] = [];
  for (const file of files) {
    const copy = path.join(folder, path.basename(file));
    await copyFile(file, copy);
    kept.push((await readFile(copy, "utf8")).trim());
  }
  const [current, ...previous] = kept;
  return current === undefined ? null : { current, previous };
}
