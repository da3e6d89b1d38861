import packageJson from "pg-boss/package.json" with { type: "json" };
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { readSchemaVersion, SCHEMA_VERSION } from "./task-table.ts";

/**
 * Throws ClipmillError "conflict" unless our SQL matches the schema of pg-boss and of the database. Older databases
 * pass: pg-boss upgrades them.
 */
export async function requireSchema(
  db: Kysely<Tables>,
  installed: { version: string; pgboss: { schema: number } } = packageJson,
): Promise<void> {
  if (installed.pgboss.schema !== SCHEMA_VERSION) {
    throw new ClipmillError(
      "conflict",
      `The installed pg-boss ${installed.version} uses queue schema ${installed.pgboss.schema}, but this version of Clipmill needs ${SCHEMA_VERSION}. ` +
        "Install Clipmill's own dependencies again with `npm ci`.",
    );
  }
  const version = await readSchemaVersion(db);
  if (version !== null && version > SCHEMA_VERSION) {
    throw new ClipmillError(
      "conflict",
      `The queue in this database has schema ${version}, but this version of Clipmill needs ${SCHEMA_VERSION}. ` +
        "It was upgraded by a newer version of Clipmill. Start that version, or restore a backup.",
    );
  }
}
