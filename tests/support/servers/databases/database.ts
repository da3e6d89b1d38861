/** Copies a template that is created once, in memory or on the shared server. */
import { cp, readFile, writeFile } from "node:fs/promises";
import type { PGlite } from "@electric-sql/pglite";
import { migrate } from "#database/migrate.ts";
import { createPglite, type Database, openDatabase, wrapEmbedded } from "#database/open-database.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openPooled } from "./embedded-pool.ts";
import { findTemplate } from "../../find-template.ts";
import { openCopy, sharedPostgresUrl } from "../shared-servers.ts";

export const SCHEMA_SOURCES = [
  "src/database/migrate.ts",
  "src/database/migrations/*.ts",
  "src/queue/create-queues.ts",
  "src/queue/task-kinds.ts",
  "src/queue/task-table.ts",
  "tests/support/servers/databases/database.ts",
  "package-lock.json",
];

const EMPTY_SOURCES = ["src/database/open-database.ts", "src/database/embedded/*.ts", "package-lock.json"];

let template: Promise<Blob> | null = null;
let empty: Promise<Blob> | null = null;

/** Empty and migrated, of this run's kind. */
export function openTestDatabase(): Promise<Database> {
  return sharedPostgresUrl ? openCopy(sharedPostgresUrl) : openEmbeddedDatabase();
}

/** Reuses databases that earlier tests of this process have closed. */
export async function openEmbeddedDatabase(): Promise<Database> {
  return wrapEmbedded(await openPooled(openTemplate), () => {});
}

/** Takes a third of a second; initdb takes four times as long. */
async function openTemplate(): Promise<PGlite> {
  template ??= readTemplate();
  return await createPglite({ loadDataDir: await template });
}

/** Saves the seconds that initdb takes. */
export async function openWithoutTables(): Promise<Database> {
  empty ??= findTemplate("no-tables.tar", EMPTY_SOURCES, async (file) => {
    const pglite = await createPglite({});
    await writeDump(pglite, file);
    await pglite.close();
  }).then(readBlob);
  return wrapEmbedded(await createPglite({ loadDataDir: await empty }), () => {});
}

export async function copyWithoutTables(dataDir: string): Promise<void> {
  const template = await findTemplate("no-tables", EMPTY_SOURCES, async (target) => {
    await (await openDatabase({ dataDir: target })).close();
  });
  await cp(template, dataDir, { recursive: true });
}

/** Copies a template, because initdb takes seconds. */
export async function copyDatabase(dataDir: string): Promise<void> {
  const template = await findTemplate("data-dir", SCHEMA_SOURCES, async (target) => {
    await copyWithoutTables(target);
    const database = await openDatabase({ dataDir: target });
    await migrate(database.db);
    await database.close();
  });
  await cp(template, dataDir, { recursive: true });
}

async function readTemplate(): Promise<Blob> {
  return await readBlob(await findTemplate("database.tar", SCHEMA_SOURCES, makeTemplate));
}

async function readBlob(file: string): Promise<Blob> {
  return new Blob([await readFile(file)]);
}

async function makeTemplate(file: string): Promise<void> {
  const pglite = await createPglite({});
  const database = wrapEmbedded(pglite, () => {});
  await migrate(database.db);
  const queue = await openQueue(database, () => {});
  await queue.stop();
  // Unused, and a third of the files that every copy would load.
  await pglite.exec("update pg_database set datistemplate = false where datistemplate");
  for (const name of ["template0", "template1"]) await pglite.exec(`drop database ${name}`);
  await pglite.exec("checkpoint");
  await writeDump(pglite, file);
  await database.close();
}

async function writeDump(pglite: PGlite, file: string): Promise<void> {
  const dump = await pglite.dumpDataDir("none");
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
}
