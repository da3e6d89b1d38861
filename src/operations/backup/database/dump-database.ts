import type { Kysely, Transaction } from "kysely";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { readSchemaState } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { listSealedValues, readSecretFingerprint } from "../../settings/sealed-values.ts";
import { listBackupTables, listSequences } from "./kept-tables.ts";
import { writeLineFile, pinTextFormats, readLines } from "./line-file.ts";
import type { Manifest } from "../manifest.ts";
import { listNamedFiles, type NamedFile } from "../files/copy-files.ts";

export type DatabaseDump = Pick<Manifest, "migration" | "tables" | "sequences"> & {
  namedFiles: NamedFile[];
  secretFingerprint: string | null;
  /** The values encrypted with the app secret. */
  sealed: number;
  /** Changes made meanwhile are not part of it. */
  snapshotSeconds: number;
};

export const TABLES_FOLDER = "tables";

/**
 * Writes all tables from one snapshot. Throws ClipmillError "not_found" without tables, "invalid" for a newer database.
 */
export async function dumpDatabase(db: Kysely<Tables>, folder: string, signal?: AbortSignal): Promise<DatabaseDump> {
  await mkdir(path.join(folder, TABLES_FOLDER), { mode: 0o700 });
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const startMs = performance.now();
      // In the snapshot: a server may be upgrading, and the migration must match the rows.
      const migration = await readMigration(trx);
      await pinTextFormats(trx);
      const tables: Manifest["tables"] = [];
      for (const table of await listBackupTables(trx)) {
        const file = `${TABLES_FOLDER}/${table.schema === null ? "" : `${table.schema}.`}${table.name}.jsonl.gz`;
        tables.push({ ...table, ...(await writeLineFile(folder, file, readLines(trx, table), signal)) });
      }
      const sequences = await listSequences(trx);
      const namedFiles = await listNamedFiles(trx);
      const secretFingerprint = await readSecretFingerprint({ db: trx });
      const { length: sealed } = await listSealedValues(trx);
      const snapshotSeconds = (performance.now() - startMs) / 1_000;
      return { migration, tables, sequences, namedFiles, secretFingerprint, sealed, snapshotSeconds };
    });
}

async function readMigration(trx: Transaction<Tables>): Promise<string> {
  const { migration, isNewer } = await readSchemaState(trx);
  if (migration === null)
    throw new ClipmillError("not_found", "There is nothing to back up yet: the database is empty.");
  if (!isNewer) return migration;
  throw new ClipmillError(
    "invalid",
    "This database was created by a newer version of Clipmill. Run this command with that version.",
  );
}
