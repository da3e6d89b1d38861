import { readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { migrate, readSchemaState } from "#database/migrate.ts";
import { DATABASE_FOLDER, openDatabase } from "#database/open-database.ts";
import { SAMPLES_ADDED } from "#operations/library/add-samples.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { copyWithoutTables } from "#tests/support/servers/databases/database.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { environmentOf, startDisposable } from "./installation.ts";

const OLD_SCHEMA = "0009-audit-and-retention";
const HOUR_MS = 3_600_000;
const PRELOADED = [
  new URL("../support/faults/machine/shift-clock.ts", import.meta.url),
  new URL("../support/hurry-timers.ts", import.meta.url),
];

const folder = await makeScratchFolder();
const dataDir = path.join(folder, "data");
const backups = path.join(dataDir, "backups");
const clockFile = path.join(folder, "clock");
const environment = { CLOCK_FILE: clockFile, NODE_OPTIONS: PRELOADED.map((url) => `--import=${url.href}`).join(" ") };

it(
  "backs up the database before an upgrade and a day later, and restores either backup",
  { timeout: 300_000 },
  async () => {
    await copyWithoutTables(dataDir);
    const older = await openDatabase({ dataDir });
    await migrate(older.db, OLD_SCHEMA);
    await older.db
      .insertInto("caption_sets")
      .values({ name: "Before", captions: ["one"] })
      .execute();
    // Drawing the samples takes ten seconds of CPU time.
    await older.db.insertInto("settings").values({ name: SAMPLES_ADDED, value: "earlier" }).execute();
    await older.close();
    await writeFile(clockFile, "0");
    await using clipmill = await startDisposable(dataDir, environment);
    const [beforeUpgrade, ...others] = await readdir(backups);
    expect([beforeUpgrade, others]).toEqual([expect.stringMatching(/Z-before-an-upgrade$/), []]);
    const client = await signedInClient(clipmill.url);
    expect((await client.from("caption_sets").insert({ name: "Later", captions: ["two"] })).error).toBeNull();

    await createApiToken(client);

    // The backup before the upgrade counts for the first day.
    await writeFile(clockFile, String(25 * HOUR_MS));
    process.kill(clipmill.pid, "SIGUSR2");
    const readNames = async () => (await readdir(backups)).filter((name) => !name.startsWith("."));
    await expect.poll(readNames, { timeout: 60_000 }).toHaveLength(2);
    const daily = (await readNames()).find((name) => name !== beforeUpgrade)!;
    const madeAt = daily.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, "T$1:$2:$3Z");
    expect(Math.abs(Date.parse(madeAt) - Date.now() - 25 * HOUR_MS)).toBeLessThan(HOUR_MS / 2);
    await expect.poll(() => clipmill.output().stderr).toContain('"backed up the database"');
    expect(await clipmill.stop()).toBe(0);

    // Restores as the documentation describes.
    await rename(path.join(dataDir, DATABASE_FOLDER), path.join(dataDir, "put-away"));
    const back = await runCommand(["restore", path.join(backups, daily)], environmentOf(dataDir));
    expect(back).toMatchObject({ code: 0, stderr: "" });
    expect(back.stdout).toContain("Everyone must sign in again.");
    expect(back.stdout).toContain("Valid again, even if revoked after the backup: 1 API token and 0 guest links.");
    await using again = await startDisposable(dataDir);
    const { data: sets } = await (await signedInClient(again.url)).from("caption_sets").select("name").order("name");
    expect(sets).toEqual([{ name: "Before" }, { name: "Later" }]);

    const elsewhere = path.join(folder, "elsewhere");
    await copyWithoutTables(elsewhere);
    const restored = await runCommand(["restore", path.join(backups, beforeUpgrade!)], environmentOf(elsewhere));
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    const upgraded = await openDatabase({ dataDir: elsewhere });
    try {
      expect(await upgraded.db.selectFrom("caption_sets").select("name").execute()).toEqual([{ name: "Before" }]);
      expect(await readSchemaState(upgraded.db)).toMatchObject({ isCurrent: true });
    } finally {
      await upgraded.close();
    }
  },
);
