/** Daily backups contain Clipmill's own database without the files in storage. */
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { readSchemaState } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import { renameSynced } from "#ground/sync-files.ts";
import { backUp } from "./back-up.ts";
import { readManifest } from "./manifest.ts";

const KEPT = 7;
const UPGRADE = "-before-an-upgrade";
const DAY_MS = 86_400_000;
/** Workers pause at a smaller share, so that backups stop first. */
const MIN_FREE_SHARE = 0.05;
/** Time, then reason; sorts by age. */
const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z/;
const PART = ".part";

export type DailyBackups = {
  db: Kysely<Tables>;
  dataDir: string;
  now?: () => Date;
};

/** Returns the backup's folder; null if one was made within a day. */
export async function backUpDaily(backups: DailyBackups, signal?: AbortSignal): Promise<string | null> {
  const nowMs = nowOf(backups).getTime();
  const agesMs = (await listBackups(backups)).map((name) => nowMs - timeOf(name));
  // Ignores backups made when the clock was ahead.
  const isDue = !agesMs.some((ageMs) => ageMs >= 0 && ageMs < DAY_MS);
  if (!isDue) return null;
  const made = await makeBackup(backups, "", signal);
  await dropOldest(backups);
  return made;
}

/** Returns the backup's folder; null for a new or current database. */
export async function backUpBeforeMigrating(backups: DailyBackups): Promise<string | null> {
  const { migration, isCurrent } = await readSchemaState(backups.db);
  if (migration === null || isCurrent) return null;
  const made = await makeBackup(backups, UPGRADE);
  // Repeatedly failing upgrades must not displace older backups.
  for (const name of await listBackups(backups)) {
    const other = path.join(folderOf(backups), name);
    if (other !== made && name.endsWith(UPGRADE) && (await isOfMigration(other, migration))) {
      await rm(other, { recursive: true });
    }
  }
  await dropOldest(backups);
  return made;
}

async function isOfMigration(folder: string, migration: string): Promise<boolean> {
  return await readManifest(folder).then(
    (manifest) => manifest.migration === migration,
    () => false,
  );
}

async function makeBackup(backups: DailyBackups, reason: string, signal?: AbortSignal): Promise<string> {
  const { db, dataDir } = backups;
  const folder = folderOf(backups);
  const { freeBytes, totalBytes } = await readDiskSpace(dataDir);
  if (freeBytes < totalBytes * MIN_FREE_SHARE) {
    throw new ClipmillError("no_space", "There is not enough free disk space to back up the database.", {
      facts: { freeBytes, totalBytes },
    });
  }
  const part = path.join(folder, PART);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  try {
    // The secret is in the same data directory.
    await backUp({ db, files: null, secret: { files: [] }, leavesSecretOut: true, actor: null }, part, signal);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  const name = `${nowOf(backups).toISOString().slice(0, 19).replaceAll(":", "-")}Z${reason}`;
  const made = path.join(folder, name);
  await renameSynced(part, made);
  return made;
}

async function dropOldest(backups: DailyBackups): Promise<void> {
  const names = await listBackups(backups);
  for (const old of names.slice(0, -KEPT)) await rm(path.join(folderOf(backups), old), { recursive: true });
}

function nowOf({ now }: DailyBackups): Date {
  return now?.() ?? new Date();
}

function folderOf({ dataDir }: DailyBackups): string {
  return path.join(dataDir, "backups");
}

/** Sorts by age. Backups dated in the future come first, so they are deleted first. */
async function listBackups(backups: DailyBackups): Promise<string[]> {
  const names = (await readdir(folderOf(backups)).catch(() => [])).filter((name) => NAME.test(name)).toSorted();
  const isAhead = (name: string): boolean => timeOf(name) > nowOf(backups).getTime();
  return [...names.filter(isAhead), ...names.filter((name) => !isAhead(name))];
}

function timeOf(name: string): number {
  const [date, time] = NAME.exec(name)![1]!.split("T");
  return Date.parse(`${date}T${time!.replaceAll("-", ":")}Z`);
}
