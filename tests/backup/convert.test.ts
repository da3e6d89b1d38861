/** Databases of version 1 become PostgreSQL's at the first start. */
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { Kysely, PGliteDialect, sql } from "kysely";
import { expect, it } from "vitest";
import { migrate, readSchemaState } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { startCommand } from "#tests/support/run-command.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const scratch = await makeScratchFolder();
const KILLS = isFullRun ? 20 : 3;

async function makeFormer(dataDir: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir: path.join(dataDir, "database"), extensions: { pg_trgm } });
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  await migrate(db, "0020-second-edition");
  await sql`insert into accounts (email, password_hash) values ('ada@clips.test', 'hash')`.execute(db);
  await sql`insert into caption_sets (name, captions)
    select 'Set ' || n, array['É, "one"', '', repeat('x', 2000)] from generate_series(1, 500) as n`.execute(db);
  await sql`insert into webhooks (url, events, enabled, sealed_secret)
    values ('https://hooks.test/', '{job.completed}', true, 'sealed')`.execute(db);
  await sql`insert into api_tokens (account_id, name, scopes, digest, last4)
    select id, 'Nightly', '{sets}', 'digest', 'abcd' from accounts`.execute(db);
  await sql`insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos)
    values ('Kept', '{a,b}', false, '{}', false, '{}', 'replace', false, 1, 1, 1, true, 30, true, 2)`.execute(db);
  await db.destroy();
}

it("keeps every row, however often the conversion is killed", { timeout: isFullRun ? 900_000 : 180_000 }, async () => {
  const dataDir = path.join(scratch, "data");
  await mkdir(dataDir);
  await makeFormer(dataDir);
  const list = () => startCommand(["user", "list"], { DATA_DIR: dataDir });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, ended } = list();
    // During the start, the copy, or the renames.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4_000));
    child.kill("SIGKILL");
    await ended;
    expect(
      existsSync(path.join(dataDir, "database")) || existsSync(path.join(dataDir, "database-before-conversion")),
    ).toBe(true);
  }
  const { code, stdout } = await list().ended;
  expect([code, stdout]).toEqual([0, "ada@clips.test  enabled, password only, never signed in\n"]);
  expect((await readdir(dataDir)).toSorted()).toEqual(
    expect.arrayContaining(["database-before-conversion", "postgres"]),
  );
  expect(existsSync(path.join(dataDir, "database"))).toBe(false);

  const database = await openDatabase({ dataDir });
  const { db } = database;
  expect(await readSchemaState(db)).toMatchObject({ isCurrent: true, isNewer: false });
  const { rows } =
    await sql`select count(*)::int as sets, min(captions[1]) as first, sum(length(captions[3]))::int as characters
    from caption_sets`.execute(db);
  expect(rows).toEqual([{ sets: 500, first: 'É, "one"', characters: 1_000_000 }]);
  expect(await db.selectFrom("jobs").select(["job_name", "input_videos"]).execute()).toEqual([
    { job_name: "Kept", input_videos: ["a", "b"] },
  ]);
  expect(await db.selectFrom("webhooks").select(["url", "sealed_secret"]).execute()).toEqual([
    { url: "https://hooks.test/", sealed_secret: "sealed" },
  ]);
  expect(await db.selectFrom("api_tokens").select(["name", "digest"]).execute()).toEqual([
    { name: "Nightly", digest: "digest" },
  ]);
  // The search finds jobs from before, too.
  expect(await db.selectFrom("job_search").select("search_text").execute()).toHaveLength(1);
  await database.close();
});
