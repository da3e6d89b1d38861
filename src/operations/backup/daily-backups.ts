/** Backups of the embedded database that are made by themselves; the files stay where they are. */
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { readSchemaState } from "#database/migrate.ts";
import { syncFolder } from "#database/sync-tree.ts";
import type { Tables } from "#database/tables.ts";
import { readDiskSpace } from "#media/free-space.ts";
import { backUp } from "./back-up.ts";

const KEPT = 7;
const DAY_MS = 86_400_000;
/** The backup is not to be what fills the disk: less is where no more videos are begun. */
const LEAST_FREE_SHARE = 0.05;
/** Its time, and what it was made before; sorts by age. */
const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z/;
/** No name of a backup; what is in it was broken off. */
const PART = ".part";

/** When and why the next backup of `dataDir` is made. */
export type DailyBackups = {
  db: Kysely<Tables>;
  dataDir: string;
  now?: () => Date;
};

/** Makes a backup unless one was made within a day. Returns its folder, or null when it is not time yet. */
export async function backUpDaily(backups: DailyBackups, signal?: AbortSignal): Promise<string | null> {
  const nowMs = (backups.now?.() ?? new Date()).getTime();
  const agesMs = (await listBackups(folderOf(backups))).map((name) => nowMs - timeOf(name));
  // One from a time when the clock was ahead says nothing.
  const isDue = !agesMs.some((ageMs) => ageMs >= 0 && ageMs < DAY_MS);
  return isDue ? await makeBackup(backups, "", signal) : null;
}

/** Makes a backup when migrations are about to change a database that is in use. Returns its folder, or null when none are. */
export async function backUpBeforeMigrating(backups: DailyBackups): Promise<string | null> {
  const { migration, isCurrent } = await readSchemaState(backups.db);
  return migration === null || isCurrent ? null : await makeBackup(backups, "-before-an-upgrade");
}

async function makeBackup(backups: DailyBackups, reason: string, signal?: AbortSignal): Promise<string> {
  const { db, dataDir, now = () => new Date() } = backups;
  const folder = folderOf(backups);
  const { freeBytes, totalBytes } = await readDiskSpace(dataDir);
  if (freeBytes < totalBytes * LEAST_FREE_SHARE) {
    throw new ClipmillError("no_space", "The disk is too full for a backup of the database.", {
      facts: { freeBytes, totalBytes },
    });
  }
  const part = path.join(folder, PART);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  try {
    // The secret lies beside it, in the same directory.
    await backUp({ db, files: null, secretFiles: [], leavesSecretOut: true }, part, signal);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  const name = `${now().toISOString().slice(0, 19).replaceAll(":", "-")}Z${reason}`;
  const made = path.join(folder, name);
  await rename(part, made);
  await syncFolder(folder);
  for (const old of (await listBackups(folder)).slice(0, -KEPT)) await rm(path.join(folder, old), { recursive: true });
  return made;
}

function folderOf({ dataDir }: DailyBackups): string {
  return path.join(dataDir, "backups");
}

/** Oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => NAME.test(name)).toSorted();
}

function timeOf(name: string): number {
  const [date, time] = NAME.exec(name)![1]!.split("T");
  return Date.parse(`${date}T${time!.replaceAll("-", ":")}Z`);
}
