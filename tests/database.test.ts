import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { toStored } from "#operations/jobs/read/stored-settings.ts";
import { openQueue } from "#queue/open-queue.ts";
import { CHANGES_CHANNEL, type Change, parseChanges } from "#database/changes.ts";
import { migrate } from "#database/migrate.ts";
import { type Database, openDatabase } from "#database/open-database.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";

/** See sendChanges in the migrations. */
const WITHOUT_NESTED_LOOPS = expect.arrayContaining(["enable_nestloop=off"]) as unknown;

const kinds = { embedded: openEmbedded, "on a server": openOnServer };

describe.each(Object.entries(kinds))("the database, %s", (_, open) => {
  let opened: { database: Database; close: () => Promise<void> };

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it("migrates, and migrating again changes nothing", async () => {
    await migrate(opened.database.db);
    await migrate(opened.database.db);
    expect(await opened.database.db.selectFrom("queue_clock").selectAll().execute()).toEqual([
      { id: 1, virtual_time: 0, front_tag: 0 },
    ]);
  });

  it("joins the rows before and after a change without nested loops", async () => {
    // All trigger functions that read both.
    const readers = await sql<{ name: string; settings: string[] | null }>`
      select proname as name, proconfig as settings from pg_trigger join pg_proc on pg_proc.oid = tgfoid
        where tgoldtable is not null and tgnewtable is not null`.execute(opened.database.db);
    expect(readers.rows).not.toEqual([]);
    for (const { name, settings } of readers.rows) expect([name, settings]).toEqual([name, WITHOUT_NESTED_LOOPS]);
  });

  it("notifies about changes and returns the same types", async () => {
    const { db } = opened.database;
    const changes: Change[] = [];
    const stop = await opened.database.listen(CHANGES_CHANNEL, (payload) => changes.push(...parseChanges(payload)));
    const set = await db
      .insertInto("caption_sets")
      .values({ name: "One", captions: ["Hello, world", 'say "hi"', ""] })
      .returningAll()
      .executeTakeFirstOrThrow();
    expect(set.captions).toEqual(["Hello, world", 'say "hi"', ""]);
    expect(set.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const job = await db.insertInto("jobs").values(someJob()).returning("id").executeTakeFirstOrThrow();
    await expect
      .poll(() => changes)
      .toEqual([{ table: "jobs", op: "INSERT", id: job.id, job_id: job.id, isProgress: false }]);
    await stop();
  });

  it("rolls back failed transactions entirely, without affecting concurrent ones", async () => {
    const { db } = opened.database;
    const names = async () =>
      (await db.selectFrom("audio_sets").select("name").orderBy("name").execute()).map((set) => set.name);
    const add = (name: string, fails: boolean) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto("audio_sets").values({ name, audio_links: [] }).execute();
        if (fails) throw new Error("no");
      });
    const results = await Promise.allSettled([
      add("a", false),
      add("b", true),
      add("c", false),
      add("d", true),
      names(),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await names()).toEqual(["a", "c"]);
  });

  it("hands out queued videos by start tag, only after the enqueuing transaction commits", async () => {
    const { database } = opened;
    const queue = await openQueue(database, () => {});
    const ids = ["a", "b", "c"].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`);
    const tasks = ids.map((videoId, i) => ({ videoId, jobId: videoId, startTag: [7, 3, 5][i]! }));
    await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, tasks));
    await expect(
      database.db.transaction().execute(async (trx) => {
        await queue.videos.enqueue(trx, [
          { videoId: "00000000-0000-4000-8000-00000000000d", jobId: ids[0]!, startTag: 0 },
        ]);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    const seen: number[] = [];
    await queue.videos.work(1, async (task) => void seen.push(task.startTag));
    await expect.poll(() => seen, { timeout: 15_000 }).toEqual([3, 5, 7]);
    await queue.stop();
  });
});

async function openEmbedded(): Promise<{ database: Database; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-database-"));
  const database = await openDatabase({ dataDir: folder });
  return {
    database,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openOnServer(): Promise<{ database: Database; close: () => Promise<void> }> {
  const server = await startPostgres();
  const database = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
  return {
    database,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}

function someJob() {
  return {
    ...toStored(JOB_DEFAULTS),
    job_name: "A job",
    input_videos: ["x".repeat(9_000)],
    error_message: null,
    current_video: null,
    total_videos: 1,
    created_by: null,
    processing_started_at: null,
  };
}
