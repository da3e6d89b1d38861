import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { type Database, openDatabase } from "../open-database.ts";
import { withLock } from "./with-lock.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
let programs: [Database, Database];

beforeAll(async () => {
  server = await startPostgres();
  const open = () => openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
  programs = [await open(), await open()];
});
afterAll(async () => {
  for (const program of programs) await program.close();
  await server.stop();
});

it("runs one program at a time, reports waiting, and does not block another lock", async () => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = withLock(programs[0], "preparing", async () => {
    started.resolve();
    await gate.promise;
    done.push("first");
  });
  await started.promise;
  const waits = Promise.withResolvers<void>();
  const second = withLock(programs[1], "preparing", async () => done.push("second"), waits.resolve);
  await waits.promise;
  await withLock(programs[1], "addingSamples", async () => done.push("beside"));
  gate.resolve();
  await Promise.all([first, second]);
  expect(done).toEqual(["beside", "first", "second"]);
});

it("releases the lock after an error", async () => {
  const error = new Error("an error");
  await expect(withLock(programs[0], "preparing", () => Promise.reject(error))).rejects.toBe(error);
  expect(await withLock(programs[1], "preparing", async () => "free")).toBe("free");
});
