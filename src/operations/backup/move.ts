import { rm, mkdir } from "node:fs/promises";
import type { Kysely } from "kysely";
import { withExclusiveAccess } from "#database/embedded/in-use.ts";
import { migrate } from "#database/migrate.ts";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { ClipmillError } from "#contract/errors.ts";
import { check } from "#ground/checksum.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { type Actor, writeAudit } from "../audit/write-audit.ts";
import type { FileSource, KeptFile, NamedFile } from "./files/copy-files.ts";
import { dumpDatabase } from "./database/dump-database.ts";
import { explainDiskError } from "./explain-disk-error.ts";
import { loadDatabase } from "./database/load-database.ts";
import { type FileTarget, putFiles, type PutFiles } from "./files/put-files.ts";
import { requireEmpty } from "./database/kept-tables.ts";
import { makeQueue } from "./restore.ts";
import { withUnfinishedMarker } from "./files/unfinished.ts";

export type MoveSource = { db: Kysely<Tables>; files: FileSource };

/** Null leaves that part where it is. */
export type MoveTarget = {
  database: Database | null;
  files: FileTarget | null;
  actor: Actor;
};

export type MoveReport = {
  tables: number;
  rows: number;
  files: (PutFiles & { missing: number }) | null;
};

/**
 * Copies and verifies files, then the database in one transaction; the source stays unchanged. A repeated move skips
 * copied files. Throws ClipmillError "conflict" if the target database is not empty.
 */
export async function move(source: MoveSource, target: MoveTarget, scratch: string): Promise<MoveReport> {
  const { database } = target;
  const copy = () => copyAll(source, target, scratch);
  try {
    if (!database) return await copy();
    return await withExclusiveAccess(database, async () => {
      await requireEmpty(database.db);
      return await withUnfinishedMarker(database.db, "clipmill move", copy);
    });
  } catch (error) {
    throw explainDiskError(error, scratch);
  }
}

async function copyAll(source: MoveSource, target: MoveTarget, scratch: string): Promise<MoveReport> {
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  try {
    const dump = await dumpDatabase(source.db, scratch);
    const files = target.files && (await moveFiles(source.files, target.files, dump.namedFiles));
    if (target.database) {
      await makeQueue(target.database);
      await loadDatabase(target.database.db, scratch, dump, async () => {});
      await migrate(target.database.db);
      await writeAudit(target.database.db, target.actor, { action: "backup.move" });
    }
    return { tables: dump.tables.length, rows: dump.tables.reduce((sum, table) => sum + table.rows, 0), files };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function moveFiles(
  source: FileSource,
  target: FileTarget,
  named: NamedFile[],
): Promise<PutFiles & { missing: number }> {
  const files: KeptFile[] = [];
  let missing = 0;
  await forEachAtOnce(named, 4, async (file) => {
    const described = await describe(source, file);
    if (described) files.push(described);
    else missing += 1;
  });
  return { ...(await putFiles(target, files, ({ key }) => source.storage.toLocalFile(key))), missing };
}

async function describe({ storage }: FileSource, { key, sizeBytes, crc32 }: NamedFile): Promise<KeptFile | null> {
  if ((await storage.sizeOf(key)) === null) return null;
  if (sizeBytes !== null && crc32 !== null) return { key, sizeBytes, crc32 };
  try {
    return { key, ...(await check(await storage.read(key))) };
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "not_found") return null;
    throw error;
  }
}
