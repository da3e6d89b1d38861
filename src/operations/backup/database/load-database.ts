import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { migrate } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { undoRestoredClaims } from "#queue/task-table.ts";
import { listSealedValues } from "../../settings/sealed-values.ts";
import type { SecretBox } from "../../settings/secret-box.ts";
import { countValidTokens } from "../../tokens/create-token.ts";
import { clearUnfinished } from "../files/unfinished.ts";
import type { Manifest } from "../manifest.ts";
import { type BackupTable, conditionOf, listBackupTables, requireEmpty } from "./kept-tables.ts";
import {
  createLineDigest,
  damaged,
  pinTextFormats,
  readLineFile,
  readLines,
  tableOf,
  writeLines,
} from "./line-file.ts";

const INSERT_CHARACTERS = 2 ** 20;

/**
 * The transaction, which `check` can reject, also removes the unfinished marker. Requires the queue's schema. Throws
 * ClipmillError "damaged", "conflict" or "invalid".
 */
export async function loadDatabase(
  db: Kysely<Tables>,
  folder: string,
  manifest: Pick<Manifest, "migration" | "tables" | "sequences">,
  check: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A program may have started on the empty database since the first check.
    await requireEmpty(trx);
    await migrate(trx, manifest.migration);
    await pinTextFormats(trx);
    const here = await listBackupTables(trx);
    const putBack = await holdBackRules(trx);
    // Removes migrations' own rows, and tasks of an installation whose tables were dropped.
    for (const table of here) await sql`delete from ${tableOf(table)} where ${conditionOf(table)}`.execute(trx);
    for (const table of manifest.tables) await loadTable(trx, folder, table, here);
    for (const { name, lastValue, isCalled } of manifest.sequences) {
      await sql`select setval(${name}::regclass, ${lastValue}::bigint, ${isCalled})`.execute(trx);
    }
    await putBack();
    await undoRestoredClaims(trx);
    await check(trx);
    await clearUnfinished(trx);
  });
}

async function loadTable(
  trx: Transaction<Tables>,
  folder: string,
  table: Manifest["tables"][number],
  here: BackupTable[],
): Promise<void> {
  const found = here.find(({ schema, name }) => schema === table.schema && name === table.name);
  // Uses this database's types: no text of the backup becomes part of a statement.
  const columns = (found?.columns ?? []).filter(({ name }) => table.columns.some((column) => column.name === name));
  // The queue's schema may be another version's; missing columns get defaults.
  const isComplete = columns.length === table.columns.length;
  if (!found || (table.schema === null && !isComplete)) {
    throw new ClipmillError(
      "invalid",
      `The backup contains the table ${table.name}, which this version of Clipmill does not have.`,
    );
  }
  let waiting: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await writeLines(trx, table, columns, waiting);
    waiting = [];
    characters = 0;
  };
  for await (const lines of readLineFile(folder, table)) {
    for (const line of lines) {
      waiting.push(line);
      characters += line.length;
      if (characters >= INSERT_CHARACTERS) await flush();
    }
  }
  await flush();
  if (!isComplete) return;
  const digest = createLineDigest();
  for await (const lines of readLines(trx, table)) digest.add(lines);
  const { rows, sha256 } = digest.end();
  if (rows !== table.rows || sha256 !== table.sha256) throw damaged(table.file);
}

/**
 * Disables triggers, whose history and counts are loaded, and drops foreign keys, whose rows may come later. The result
 * restores both.
 */
async function holdBackRules(trx: Transaction<Tables>): Promise<() => Promise<void>> {
  const { rows: references } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(con.oid) as definition
    from pg_constraint as con join pg_namespace as space on space.oid = connamespace
    where contype = 'f' and nspname = current_schema()`.execute(trx);
  const { rows: tables } = await sql<{ table: string }>`
    select distinct tgrelid::regclass::text as "table" from pg_trigger
    join pg_class as class on class.oid = tgrelid join pg_namespace as space on space.oid = relnamespace
    where not tgisinternal and nspname = current_schema()`.execute(trx);
  // The catalog returns quoted names.
  for (const { table } of tables) await sql.raw(`alter table ${table} disable trigger user`).execute(trx);
  for (const { table, name } of references) {
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(trx);
  }
  return async () => {
    for (const { table, name, definition } of references) {
      await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(trx);
    }
    for (const { table } of tables) await sql.raw(`alter table ${table} enable trigger user`).execute(trx);
  };
}

/** Numbers of valid tokens and links, which work without signing in. */
export type Access = { apiTokens: number; guestLinks: number };

export async function countAccess(db: Kysely<Tables>): Promise<Access> {
  const { guestLinks } = await db
    .selectFrom("guest_links")
    .select(sql<number>`count(*)::int`.as("guestLinks"))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirstOrThrow();
  return { apiTokens: await countValidTokens(db), guestLinks };
}

export async function countUnopenedSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  return (await listSealedValues(db)).filter(({ name, sealed }) => !opens(box, name, sealed)).length;
}

function opens(box: SecretBox, name: string, value: string): boolean {
  try {
    box.open(name, value);
    return true;
  } catch {
    return false;
  }
}
