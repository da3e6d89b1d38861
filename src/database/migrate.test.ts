import { sql } from "kysely";
import { expect, it } from "vitest";
import { openWithoutTables } from "#tests/support/servers/databases/database.ts";
import { isKnownMigration, migrate, readSchemaState } from "./migrate.ts";

it("upgrades a database that recorded the second edition in many steps, and takes its backups", async () => {
  await using database = { ...(await openWithoutTables()), [Symbol.asyncDispose]: () => database.close() };
  const { db } = database;
  await migrate(db, "0020-second-edition");
  await sql`update kysely_migration set name = '0058-places-of-deliveries' where name = '0020-second-edition'`.execute(
    db,
  );
  for (const name of ["0020-classes-of-failures", "0052-videos-side-by-side"]) {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-22T08:00:00.000Z')`.execute(db);
  }
  expect(await readSchemaState(db)).toEqual({ migration: "0020-second-edition", isCurrent: false, isNewer: false });
  expect(isKnownMigration("0058-places-of-deliveries")).toBe(true);

  // As two servers that start together.
  await Promise.all([migrate(db), migrate(db)]);
  expect(await readSchemaState(db)).toMatchObject({ isCurrent: true, isNewer: false });
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration where name >= '0019' order by name`.execute(db);
  expect(rows.map(({ name }) => name)).toEqual([
    "0019-media-of-workers",
    "0020-second-edition",
    "0059-third-edition",
    "0063-one-queue",
    "0064-comments-on-moments",
    "0065-captions-of-rows-in-search",
    "0066-later-changes-are-newer",
    "0067-clips-of-videos",
    "0069-covers-of-outputs",
    "0070-codes-of-assistants",
    "0074-identities-of-accounts",
    "0075-subtitles",
    "0077-transcripts",
    "0079-translations",
    "0080-workers-by-token",
  ]);
});
