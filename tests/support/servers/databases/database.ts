/** Copies a template that is created once. */
import { cp } from "node:fs/promises";
import { migrate } from "#database/migrate.ts";
import { type Database, openDatabase } from "#database/open-database.ts";
import { findTemplate } from "../../find-template.ts";
import { SCHEMA_SOURCES } from "./sources.ts";
import { openPostgresDatabase, openPostgresWithoutTables } from "./postgres.ts";

const OWN_SOURCES = ["src/database/open-database.ts", "src/database/embedded/*.ts", "package-lock.json"];

/** Empty and migrated, as a single program's own. Reuses databases that earlier tests of this process have closed. */
export async function openTestDatabase(): Promise<Database> {
  return { ...(await openPostgresDatabase()), isEmbedded: true };
}

export async function openWithoutTables(): Promise<Database> {
  return { ...(await openPostgresWithoutTables()), isEmbedded: true };
}

/** Saves the second that initdb takes. */
export async function copyWithoutTables(dataDir: string): Promise<void> {
  const template = await findTemplate("no-tables", OWN_SOURCES, async (target) => {
    await (await openDatabase({ dataDir: target })).close();
  });
  await cp(template, dataDir, { recursive: true });
}

export async function copyDatabase(dataDir: string): Promise<void> {
  const template = await findTemplate("data-dir", [...SCHEMA_SOURCES, ...OWN_SOURCES], async (target) => {
    await copyWithoutTables(target);
    const database = await openDatabase({ dataDir: target });
    await migrate(database.db);
    await database.close();
  });
  await cp(template, dataDir, { recursive: true });
}
