import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { migrate } from "#database/migrate.ts";
import { type Database, openDatabase } from "#database/open-database.ts";
import type { Config } from "./config.ts";

/** Does something on the installation's database from the terminal. Throws ClipmillError "conflict" while Clipmill runs on it. */
export async function onDatabase<Result>(
  config: Config,
  task: (database: Database) => Promise<Result>,
): Promise<Result> {
  const dataDir = path.resolve(config.DATA_DIR);
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir }).catch((cause: unknown) => {
    throw cause instanceof ClipmillError && cause.code === "conflict" ? isRunning(dataDir, cause) : cause;
  });
  try {
    await migrate(database.db);
    return await task(database);
  } finally {
    await database.close();
  }
}

function isRunning(dataDir: string, cause: ClipmillError): ClipmillError {
  return new ClipmillError(
    "conflict",
    `Clipmill is running on ${dataDir}, and its embedded database takes one program at a time. Stop Clipmill, run this again, and start it again.`,
    { cause },
  );
}
