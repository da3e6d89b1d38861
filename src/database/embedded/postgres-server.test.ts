import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { copyWithoutTables } from "#tests/support/servers/databases/database.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { DATABASE_FOLDER, openDatabase } from "../open-database.ts";
import { findRunningServer } from "./postgres-server.ts";

const WRITE_LOAD = path.resolve(import.meta.dirname, "../../../tests/support/write-load.ts");
const scratch = await makeScratchFolder();

async function readSettings(dataDir: string): Promise<Record<string, string>> {
  const database = await openDatabase({ dataDir });
  const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings`.execute(
    database.db,
  );
  await database.close();
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

it("keeps what it has acknowledged, and listens on a private socket only", async () => {
  const dataDir = path.join(scratch, "settings");
  await copyWithoutTables(dataDir);
  expect(await readSettings(dataDir)).toMatchObject({
    ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on", data_checksums: "on" },
    ...{ listen_addresses: "", unix_socket_permissions: "0600", server_encoding: "UTF8" },
  });
});

it("ends by itself when its program is killed, and another one starts at once", async () => {
  const dataDir = path.join(scratch, "killed");
  await copyWithoutTables(dataDir);
  const folder = path.join(dataDir, DATABASE_FOLDER);
  const killProgram = async () => {
    const child = spawn(process.execPath, [WRITE_LOAD, dataDir, "1000000"], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  for (let kill = 0; kill < 2; kill += 1) {
    await killProgram();
    // The former server may still run.
    await (await openDatabase({ dataDir })).close();
  }
  await killProgram();
  await expect.poll(() => existsSync(path.join(folder, "postmaster.pid")), { timeout: 20_000 }).toBe(false);
  expect(await findRunningServer(folder)).toBeNull();
});

it("makes its folder while programs of a killed start still write to theirs", async () => {
  const dataDir = path.join(scratch, "killed-first-start");
  const leftover = path.join(dataDir, `${DATABASE_FOLDER}.part`);
  await mkdir(leftover, { recursive: true });
  const writing = new AbortController();
  const writer = (async () => {
    for (let count = 0; !writing.signal.aborted; count += 1) {
      await writeFile(path.join(leftover, `${count}`), "").catch(() => mkdir(leftover, { recursive: true }));
    }
  })();
  const database = await openDatabase({ dataDir });
  writing.abort();
  await writer;
  await database.close();
  expect(existsSync(path.join(dataDir, DATABASE_FOLDER, "PG_VERSION"))).toBe(true);
});

it("is shared with commands, and with nothing else", async () => {
  const dataDir = path.join(scratch, "shared");
  await copyWithoutTables(dataDir);
  const owner = await openDatabase({ dataDir });
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({ code: "conflict" });
  const guest = await openDatabase({ dataDir, isShared: true });
  await sql`create table seen (by text)`.execute(guest.db);
  await guest.close();
  expect((await sql`select * from seen`.execute(owner.db)).rows).toEqual([]);
  await owner.close();
  await expect(sql`select 1`.execute(owner.db)).rejects.toThrow("isn't responding");
});

it("finds another place for its socket if the data directory's path is too long for one", async () => {
  const dataDir = path.join(scratch, "a-long-name".repeat(10));
  await copyWithoutTables(dataDir);
  const database = await openDatabase({ dataDir });
  const [, , , , sockets] = (await readFile(path.join(dataDir, DATABASE_FOLDER, "postmaster.pid"), "utf8")).split("\n");
  expect(await readdir(sockets!)).toContain(".s.PGSQL.5432");
  await database.close();
  expect(existsSync(sockets!)).toBe(false);
});

it("says that it stopped, in one sentence, when PostgreSQL is killed", async () => {
  const dataDir = path.join(scratch, "stopped");
  await copyWithoutTables(dataDir);
  const stopped = Promise.withResolvers<Error>();
  const database = await openDatabase({ dataDir, onStopped: stopped.resolve });
  const [pid] = (await readFile(path.join(dataDir, DATABASE_FOLDER, "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  expect((await stopped.promise).message).toMatch(/^The database stopped unexpectedly. Saved data is safe\./);
  await database.close();
  await (await openDatabase({ dataDir })).close();
});

it("says in one sentence why it does not start", async () => {
  const dataDir = path.join(scratch, "rejected");
  await copyWithoutTables(dataDir);
  await appendFile(path.join(dataDir, DATABASE_FOLDER, "postgresql.conf"), "no_setting = 1\n");
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    code: "system_error",
    message: expect.stringMatching(/^The database could not start \(.+\)\. .+ or set DATABASE_URL\.$/),
  });
});

it("starts although the number of a server that was cut off belongs to another program by now", async () => {
  const dataDir = path.join(scratch, "stale");
  await copyWithoutTables(dataDir);
  const folder = path.join(dataDir, DATABASE_FOLDER);
  const lines = [process.pid, folder, 1, 5432, path.join(dataDir, "gone"), "", "", "ready"];
  await writeFile(path.join(folder, "postmaster.pid"), lines.join("\n"));
  await (await openDatabase({ dataDir })).close();
  expect(existsSync(path.join(folder, "postmaster.pid"))).toBe(false);
});

it("gives programs that reach its socket no rights of a superuser", async () => {
  const dataDir = path.join(scratch, "rights");
  await copyWithoutTables(dataDir);
  const database = await openDatabase({ dataDir });
  const { rows } = await sql`select rolsuper from pg_roles where rolname = current_user`.execute(database.db);
  expect(rows).toEqual([{ rolsuper: false }]);
  await expect(sql`copy (select 1) to program 'true'`.execute(database.db)).rejects.toThrow("permission denied");
  await database.close();
});
