import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startDailyBackups } from "./start-daily-backups.ts";

const dataDir = await makeScratchFolder();

it("backs up automatically, logs a failure as an error and retries", async () => {
  const backups = path.join(dataDir, "backups");
  await writeFile(backups, "in the way");
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const database = await openTestDatabase();
  const intervals = { firstLookMs: 1, lookAgainMs: 20 };
  const running = startDailyBackups({ database, dataDir, log }, intervals);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines[0]).toMatchObject({
    level: 50,
    msg: expect.stringContaining("daily database backup failed") as string,
  });

  await rm(backups);
  await mkdir(backups);
  await expect.poll(() => lines.at(-1)?.msg).toBe("backed up the database");
  await running[Symbol.asyncDispose]();
  expect(await readdir(backups)).toHaveLength(1);

  await database.close();
});
