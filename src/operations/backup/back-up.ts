import type { Kysely } from "kysely";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { readSchemaState } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { syncTree } from "#ground/sync-files.ts";
import { type Actor, writeAudit } from "../audit/write-audit.ts";
import { VERSION } from "../fleet/list-workers.ts";
import { type AppSecrets, isSameSecret } from "../settings/sealed-values.ts";
import { copyFiles, type CopiedFiles, FILES_FOLDER, type FileSource, type KeptFile } from "./files/copy-files.ts";
import { dumpDatabase, TABLES_FOLDER } from "./database/dump-database.ts";
import { explainDiskError } from "./explain-disk-error.ts";
import { writeLineFile } from "./database/line-file.ts";
import { MANIFEST, type Manifest, writeManifest } from "./manifest.ts";

export type BackupSource = {
  db: Kysely<Tables>;
  /** Null excludes files. */
  files: FileSource | null;
  /** Secret files, current first, or the environment's secrets. */
  secret: { files: string[] } | AppSecrets;
  leavesSecretOut: boolean;
  /** Null for an automatic backup. */
  actor: Actor | null;
};

export type BackupReport = {
  rows: number;
  tables: number;
  files: (Omit<CopiedFiles, "files"> & { copied: number }) | null;
  secrets: Manifest["secrets"];
  snapshotSeconds: number;
};

/** Lets the next backup clean up after a crash. */
const UNFINISHED = "clipmill-backup-unfinished";
/** Prevents concurrent backups to one folder. */
const LOCK = "lock";
const LOCKS = new Set([LOCK, `${LOCK}-journal`]);
const FILE_LIST = "files.jsonl.gz";
/** A folder with anything else is the user's. */
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
 * Writes a snapshot of the database, then the files that it names, to a folder that is empty, missing, or holds an
 * interrupted backup. Empties the folder on failure. Throws ClipmillError "conflict" (folder in use), "not_found"
 * (empty database), "no_space", or "unauthorized" (another database's secret).
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
    throw explainDiskError(error, folder);
  }
}

async function makeIn<Result>(folder: string, make: () => Promise<Result>): Promise<Result> {
  await prepareFolder(folder);
  try {
    return await make();
  } catch (error) {
    // Frees the backup's space: the database may be on this disk too.
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
  // The manifest's files must be on the disk before it.
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

/** Skips an older version's database, whose tables differ. */
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
      throw new ClipmillError("invalid", `The folder ${folder} is not writable.`, { cause });
    throw new ClipmillError("conflict", `Another backup to ${folder} is in progress.`, { cause });
  }
}

async function prepareFolder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !LOCKS.has(name));
  const isLeftOver = names.includes(UNFINISHED) && names.every((name) => OWN_NAMES.has(name));
  if (names.length > 0 && !isLeftOver) {
    throw new ClipmillError("conflict", `${folder} is not empty. Specify an empty or new folder.`);
  }
  await writeFile(path.join(folder, UNFINISHED), "", { mode: 0o600 });
  await removeIn(folder, names);
}

/** Removes the marker last, so that the next backup can finish an interrupted cleanup. */
async function clear(folder: string): Promise<void> {
  await removeIn(folder, [...OWN_NAMES]);
  await rm(path.join(folder, UNFINISHED), { force: true });
}

async function removeIn(folder: string, names: string[]): Promise<void> {
  for (const name of names) {
    if (name !== UNFINISHED) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

async function* linesOf(files: KeptFile[]): AsyncGenerator<string[]> {
  const sorted = files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const file of sorted) yield [JSON.stringify(file)];
}

/** The copied secret may be another machine's, or newer than the rows. */
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
      "This database's secret is not available. Set APP_SECRET or DATA_DIR to the value the servers and workers use, or run the backup with --without-secret. Nothing was backed up.",
    );
  }
  if (!isInFiles) return "environment";
  return secrets === null ? "left out" : "held";
}

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
