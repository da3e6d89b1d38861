import type { Kysely } from "kysely";
import { sql } from "kysely";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { readSchemaState } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { SERVICE_KEYS } from "#contract/settings.ts";
import { listKeptTables, listSequences } from "./kept-tables.ts";
import { writeLineFile } from "./line-file.ts";
import type { Manifest } from "./manifest.ts";
import { listNamedFiles, type NamedFile } from "./named-files.ts";
import { fixTextForms, readLines } from "./row-lines.ts";

export type DatabaseDump = Pick<Manifest, "migration" | "tables" | "sequences"> & {
  namedFiles: NamedFile[];
  /** Keys and second steps that are sealed under the app secret. */
  sealed: number;
  /** How long the snapshot was open; the embedded database serves nobody else meanwhile. */
  snapshotSeconds: number;
};

export const TABLES_FOLDER = "tables";

/** Writes every kept table to `folder`, all as they are at one moment. Throws ClipmillError "not_found" without any tables. */
export async function dumpDatabase(db: Kysely<Tables>, folder: string, signal?: AbortSignal): Promise<DatabaseDump> {
  const { migration } = await readSchemaState(db);
  if (migration === null)
    throw new ClipmillError("not_found", "There is nothing to back up yet: the database is empty.");
  await mkdir(path.join(folder, TABLES_FOLDER), { mode: 0o700 });
  const dump = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const startMs = performance.now();
      await fixTextForms(trx);
      const tables: Manifest["tables"] = [];
      for (const table of await listKeptTables(trx)) {
        const file = `${TABLES_FOLDER}/${table.schema === null ? "" : `${table.schema}.`}${table.name}.jsonl.gz`;
        tables.push({ ...table, ...(await writeLineFile(folder, file, readLines(trx, table), signal)) });
      }
      const rest = { sequences: await listSequences(trx), namedFiles: await listNamedFiles(trx) };
      const { rows } = await sql<{ sealed: number }>`
        select (select count(*) from factors) + (select count(*) from settings where name = any(${SERVICE_KEYS}::text[]))
          as sealed`.execute(trx);
      return { tables, ...rest, sealed: rows[0]!.sealed, snapshotSeconds: (performance.now() - startMs) / 1_000 };
    });
  return { migration, ...dump };
}
