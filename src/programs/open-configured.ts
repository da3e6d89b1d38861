import { existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { Kysely, PGliteDialect } from "kysely";
import { readSchemaState } from "#database/migrate.ts";
import { type Database, DATABASE_FOLDER, type DatabaseLocation, openDatabase } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { renameSynced } from "#ground/sync-files.ts";
import { dumpDatabase } from "#operations/backup/database/dump-database.ts";
import { requireFinished } from "#operations/backup/files/unfinished.ts";
import { loadDatabase } from "#operations/backup/database/load-database.ts";
import { makeQueue } from "#operations/backup/restore.ts";
import type { Config } from "../config.ts";

type Options = Pick<DatabaseLocation, "isShared" | "isWorker" | "onStopped" | "onNoRoom"> & {
  onConvert?: (sentence: string) => void;
};

/** Where version 1 kept its database, in the data directory. */
const FORMER_FOLDER = "database";
const FORMER_SOCKET = "control";
const KEPT_FOLDER = "database-before-conversion";
const SCRATCH_FOLDER = "converting";

/**
 * Opens DATABASE_URL or the data directory's own database. That of version 1 is converted first and kept beside the new
 * one. Throws like openDatabase.
 */
export async function openConfigured(
  config: Config,
  { onConvert = () => {}, ...options }: Options = {},
): Promise<Database> {
  const dataDir = path.resolve(config.DATA_DIR);
  const former = path.join(dataDir, FORMER_FOLDER);
  const isFormer = !config.DATABASE_URL && existsSync(former);
  const fill = async (database: Database): Promise<void> => {
    onConvert("converting the database; an interruption loses nothing");
    await copyFormer(former, database, path.join(dataDir, SCRATCH_FOLDER));
  };
  const database = await openDatabase({
    ...{ databaseUrl: config.DATABASE_URL, sessionUrl: config.DATABASE_SESSION_URL, dataDir },
    ...{ fill: isFormer ? fill : null, ...options },
  });
  if (isFormer && existsSync(former)) {
    const kept = path.join(dataDir, KEPT_FOLDER);
    await renameSynced(former, kept);
    await rm(path.join(dataDir, FORMER_SOCKET), { recursive: true, force: true });
    onConvert(`converted the database; the former one is kept in ${kept}`);
  }
  return database;
}

export function isInstalled(dataDir: string): boolean {
  return [DATABASE_FOLDER, FORMER_FOLDER].some((name) => existsSync(path.join(dataDir, name)));
}

/** Copies and verifies all tables. */
async function copyFormer(former: string, database: Database, scratch: string): Promise<void> {
  // Loaded on demand: only upgrades of version 1 need it.
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/contrib/pg_trgm"),
  ]);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  // Of a copy, because opening it writes to it without syncing.
  const copy = path.join(scratch, FORMER_FOLDER);
  await cp(former, copy, { recursive: true });
  const pglite = await PGlite.create({ dataDir: copy, extensions: { pg_trgm } });
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  try {
    await requireFinished(db, `remove ${former}`);
    // The first start was interrupted.
    if ((await readSchemaState(db)).migration === null) return;
    const dump = await dumpDatabase(db, scratch);
    await makeQueue(database);
    await loadDatabase(database.db, scratch, dump, async () => {});
  } finally {
    await db.destroy();
    await rm(scratch, { recursive: true, force: true });
  }
}
