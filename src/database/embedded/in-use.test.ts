import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { withExclusiveAccess } from "./in-use.ts";
import type { Database } from "../open-database.ts";

let database: Database;

beforeAll(async () => {
  database = await openPostgresDatabase();
});
afterAll(() => database.close());

it("lets no program start during exclusive access, and grants none while one runs", async () => {
  const begin = () => database.listen("a channel", () => {});
  await withExclusiveAccess(database, async () => {
    await expect(begin()).rejects.toMatchObject({ code: "conflict" });
  });
  await begin();
  await expect(withExclusiveAccess(database, async () => {})).rejects.toMatchObject({ code: "conflict" });
});
