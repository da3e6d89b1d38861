import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "#database/migrate.ts";
import type { Database } from "#database/open-database.ts";
import { openTestDatabase, openWithoutTables } from "#tests/support/servers/databases/database.ts";
import { mountSmallDisk, unmountSmallDisk } from "#tests/support/faults/machine/small-disk.ts";
import { backUpBeforeMigrating, backUpDaily } from "./daily-backups.ts";
import { readManifest } from "./manifest.ts";

let dataDir: string;
let database: Database;
let today: Date;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "clipmill-daily-"));
  database = await openTestDatabase();
  today = new Date("2026-03-28T01:30:00Z");
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const backUpNow = () => backUpDaily({ db: database.db, dataDir, now: () => today });
const names = () => readdir(path.join(dataDir, "backups"));

function passHours(hours: number): void {
  today = new Date(today.getTime() + hours * 3_600_000);
}

it("makes a backup once a day and keeps the newest seven", async () => {
  expect(await backUpNow()).toBe(path.join(dataDir, "backups/2026-03-28T01-30-00Z"));
  passHours(23);
  expect(await backUpNow()).toBeNull();
  passHours(1);
  for (let day = 0; day < 8; day += 1, passHours(24)) await backUpNow();
  expect(await names()).toEqual(
    ["30", "31", "01", "02", "03", "04", "05"].map((day) => `2026-0${Number(day) > 9 ? 3 : 4}-${day}T01-30-00Z`),
  );
  const manifest = await readManifest(path.join(dataDir, "backups/2026-04-05T01-30-00Z"));
  expect(manifest).toMatchObject({ files: null, secrets: { appSecret: "left out" } });
});

it("makes a backup even if the clock was once far ahead", async () => {
  passHours(24 * 365);
  await backUpNow();
  passHours(-24 * 365);
  expect(await backUpNow()).not.toBeNull();
  passHours(1);
  expect(await backUpNow()).toBeNull();
});

it("never removes today's backups in favor of those made when the clock was ahead", async () => {
  const first = (await backUpNow())!;
  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    await cp(first, path.join(dataDir, `backups/2031-01-0${day}T01-30-00Z`), { recursive: true });
  }
  passHours(24);
  const made = await backUpNow();
  expect(await names()).toContain(path.basename(made!));
  expect(await names()).toHaveLength(7);
});

it("keeps older backups when an upgrade fails repeatedly", async () => {
  await backUpNow();
  const old = await openWithoutTables();
  await migrate(old.db, "0009-audit-and-retention");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    passHours(1);
    await backUpBeforeMigrating({ db: old.db, dataDir, now: () => today });
  }
  await old.close();
  expect(await names()).toEqual(["2026-03-28T01-30-00Z", "2026-03-28T04-30-00Z-before-an-upgrade"]);
});

it("names a backup only once it is complete, and removes an interrupted one", async () => {
  const part = path.join(dataDir, "backups/.part");
  await mkdir(part, { recursive: true });
  await writeFile(path.join(part, "clipmill-backup-unfinished"), "");
  const stopping = AbortSignal.abort();
  await expect(backUpDaily({ db: database.db, dataDir, now: () => today }, stopping)).rejects.toThrow("aborted");
  expect(await names()).toEqual([]);
  await backUpNow();
  expect(await names()).toEqual(["2026-03-28T01-30-00Z"]);
});

it("makes a backup only before migrations change a database that is in use", async () => {
  const backups = { db: database.db, dataDir, now: () => today };
  expect(await backUpBeforeMigrating(backups)).toBeNull();
  const empty = await openWithoutTables();
  expect(await backUpBeforeMigrating({ ...backups, db: empty.db })).toBeNull();
  await migrate(empty.db, "0009-audit-and-retention");
  await sql`insert into settings (name, value) values ('kept', 'before')`.execute(empty.db);
  const made = await backUpBeforeMigrating({ ...backups, db: empty.db });
  await empty.close();
  expect(made).toBe(path.join(dataDir, "backups/2026-03-28T01-30-00Z-before-an-upgrade"));
  expect((await readManifest(made!)).migration).toBe("0009-audit-and-retention");
  // It counts as the daily backup.
  expect(await backUpNow()).toBeNull();
});

it("skips the backup on an almost full disk, and resumes once there is space", async ({ skip }) => {
  const disk = path.join(dataDir, "disk");
  await mkdir(disk);
  if (!mountSmallDisk(disk)) return skip("this process may not mount a disk");
  try {
    const backups = { db: database.db, dataDir: disk, now: () => today };
    await writeFile(path.join(disk, "ballast"), Buffer.alloc(1_000_000));
    await expect(backUpDaily(backups)).rejects.toThrow("not enough free disk space");
    await rm(path.join(disk, "ballast"));
    const made = await backUpDaily(backups);
    await cp(made!, path.join(dataDir, "taken"), { recursive: true });
    expect((await readManifest(path.join(dataDir, "taken"))).tables.length).toBeGreaterThan(20);
  } finally {
    unmountSmallDisk(disk);
  }
});
