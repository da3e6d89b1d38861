/**
 * `write-load.ts <data directory> <commits>`: commits rows to an embedded database and prints each acknowledgment.
 * Every 20th row is large; a checkpoint follows every 50th commit.
 */
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";

const [dataDir = "", commits = "0"] = process.argv.slice(2);
const STDOUT = 1;

const database = await openDatabase({ dataDir });
await migrate(database.db);
writeSync(STDOUT, "ready\n");
for (let i = 0; i < Number(commits); i += 1) {
  const name = randomBytes(8).toString("hex");
  const captions = [i % 20 === 19 ? randomBytes(100_000).toString("hex") : name];
  await database.db.insertInto("caption_sets").values({ name, captions }).execute();
  // Synchronous, so that the acknowledgment is out before anything else happens.
  writeSync(STDOUT, `acknowledged ${name}\n`);
  if (i % 50 === 49) await sql`checkpoint`.execute(database.db);
}
await database.close();
