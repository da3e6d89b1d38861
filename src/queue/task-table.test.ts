import { randomUUID } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { measureTasks } from "./task-table.ts";
import { openQueue, type Queue } from "./open-queue.ts";

type PlanNode = {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
};

const ENDED = 20_000;

describe("the queue's figures", () => {
  let database: Database;
  let queue: Queue;

  beforeAll(async () => {
    database = await openPostgresDatabase();
    // Supervised every second, like on a server.
    queue = await openQueue({ ...database, isEmbedded: false }, () => {});
  });
  afterAll(async () => {
    await queue.stop();
    await database.close();
  });

  it("count waiting, held, postponed and running tasks without reading ended ones", async () => {
    const { db } = database;
    const tasks = Array.from({ length: 10 }, (_, startTag) => ({
      videoId: randomUUID(),
      jobId: randomUUID(),
      startTag,
    }));
    const ids = tasks.map((task) => task.videoId);
    await db.transaction().execute((trx) => queue.videos.enqueue(trx, tasks));
    await db.transaction().execute((trx) => queue.videos.hold(trx, ids.slice(0, 2)));
    await sql`update pgboss.job set state = 'active' where id = any(${ids.slice(2, 5)}::uuid[])`.execute(db);
    await sql`update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where id = ${ids[5]}`.execute(
      db,
    );
    await sql`update pgboss.job set created_on = now() - interval '1 minute', start_after = now() - interval '1 minute' where id = ${ids[9]}`.execute(
      db,
    );
    await sql`insert into pgboss.job (name, state, data, completed_on)
      select 'videos', (array['completed', 'cancelled', 'failed'])[1 + i % 3]::pgboss.job_state, '{}', now()
      from generate_series(1, ${ENDED}::int) as i`.execute(db);
    await sql`analyze pgboss.job`.execute(db);

    const measured = (await queue.measure()).find(({ name }) => name === "videos")!;
    expect(measured).toMatchObject({ waiting: 4, held: 2, postponed: 1, active: 3 });
    expect(measured.oldestWaitingSeconds).toBeGreaterThanOrEqual(60);
    expect(measured.oldestWaitingSeconds).toBeLessThan(3_600);
    expect(await countTasksRead(database)).toBe(tasks.length);
    // For autoscalers: what runs, and what could start now unless the queue is paused.
    const readLoad = async () => (await sql<{ load: number }>`select queue_load() as load`.execute(db)).rows[0]!.load;
    expect(await readLoad()).toBe(7);
    await sql`insert into settings (name, value) values ('queue_paused', '{}')`.execute(db);
    expect(await readLoad()).toBe(3);
  });

  it("are not counted again by pg-boss, which would read all tasks in every round", async () => {
    let rounds = 0;
    let last = await readRound(database);
    const { counted } = last;
    await expect
      .poll(
        async () => {
          const now = await readRound(database);
          if (now.round !== last.round) rounds += 1;
          last = now;
          return rounds;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThanOrEqual(2);
    expect(last.counted).toBe(counted);
  });
});

/** Reads when pg-boss last supervised the queue and last counted its tasks. */
async function readRound({ db }: Database): Promise<{ round: string | null; counted: string | null }> {
  const { rows } = await sql<{ round: string | null; counted: string | null }>`
    select monitor_claim_on::text as round, monitor_on::text as counted from pgboss.queue where name = 'videos'`.execute(
    db,
  );
  return rows[0]!;
}

/** Returns how many task rows the queries read, according to their plans. */
async function countTasksRead({ db }: Database): Promise<number> {
  let read = 0;
  const add = (node: PlanNode): void => {
    const rows =
      node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    if (node["Relation Name"]?.startsWith("job")) read += Math.round(rows * node["Actual Loops"]);
    for (const below of node.Plans ?? []) add(below);
  };
  const executeSql = async (text: string, values?: unknown[]) => {
    const explained = CompiledQuery.raw(`explain (analyze, format json) ${text}`, values);
    const { rows } = await db.executeQuery<{ "QUERY PLAN": { Plan: PlanNode }[] }>(explained);
    add(rows[0]!["QUERY PLAN"][0]!.Plan);
    return { rows: [] };
  };
  await measureTasks({ executeSql });
  return read;
}
