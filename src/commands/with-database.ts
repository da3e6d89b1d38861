import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { migrate, readSchemaState } from "#database/migrate.ts";
import type { Database } from "#database/open-database.ts";
import { backUpBeforeMigrating } from "#operations/backup/daily-backups.ts";
import { requireFinished } from "#operations/backup/files/unfinished.ts";
import { describeStartOver } from "#programs/backups/backup-installation.ts";
import { openConfigured } from "#programs/open-configured.ts";
import type { Config } from "../config.ts";

/**
 * Uses the database of a running Clipmill, too, unless `isShared` is false: throws ClipmillError "conflict" then. Throws
 * "no_space" if the backup before an upgrade does not fit.
 */
export async function withDatabase<Result>(
  config: Config,
  task: (database: Database) => Promise<Result>,
  { isShared = true }: { isShared?: boolean } = {},
): Promise<Result> {
  const dataDir = path.resolve(config.DATA_DIR);
  const database = await openConfigured(config, { isShared }).catch((cause: unknown) => {
    throw cause instanceof ClipmillError && cause.code === "conflict" ? alreadyRunning(dataDir, cause) : cause;
  });
  try {
    await upgrade(database, dataDir);
    return await task(database);
  } finally {
    await database.close();
  }
}

/** Upgrades only the embedded database, after a backup: on a server, others may still run the older version. */
async function upgrade(database: Database, dataDir: string): Promise<void> {
  await requireFinished(database.db, describeStartOver(database, dataDir));
  const { migration, isCurrent } = await readSchemaState(database.db);
  if (migration !== null && !isCurrent && !database.isEmbedded) {
    throw new ClipmillError(
      "conflict",
      "This database was created by an older version of Clipmill. Start a server of this version first, or run this with the older version.",
    );
  }
  if (database.isEmbedded) await backUpBeforeMigrating({ db: database.db, dataDir });
  await migrate(database.db);
}

function alreadyRunning(dataDir: string, cause: ClipmillError): ClipmillError {
  return new ClipmillError(
    "conflict",
    `Clipmill is running on ${dataDir}. Stop Clipmill, run this command, then start Clipmill again.`,
    { cause },
  );
}
