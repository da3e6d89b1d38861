import { sql } from "kysely";
import { expect, it } from "vitest";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openQueue, requireSchema } from "./open-queue.ts";
import { SCHEMA_VERSION } from "./task-table.ts";

it("rejects a queue upgraded by a newer version of Clipmill, and leaves it unchanged", async () => {
  const database = await openTestDatabase();
  await (await openQueue(database, () => {})).stop();
  await sql`update pgboss.version set version = ${SCHEMA_VERSION + 1}`.execute(database.db);
  await expect(openQueue(database, () => {})).rejects.toMatchObject({
    code: "conflict",
    message:
      `The queue in this database has schema ${SCHEMA_VERSION + 1}, but this version of Clipmill needs ${SCHEMA_VERSION}. ` +
      "It was upgraded by a newer version of Clipmill. Start that version, or restore a backup.",
  });
  const { rows } = await sql`select version from pgboss.version`.execute(database.db);
  expect(rows).toEqual([{ version: SCHEMA_VERSION + 1 }]);
  await database.close();
});

it("rejects a pg-boss with another schema before it upgrades the database", async () => {
  const database = await openTestDatabase();
  const other = { version: "99.0.0", pgboss: { schema: SCHEMA_VERSION + 1 } };
  await expect(requireSchema(database.db, other)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("npm ci") as string,
  });
  await expect(requireSchema(database.db)).resolves.toBeUndefined();
  await database.close();
});
