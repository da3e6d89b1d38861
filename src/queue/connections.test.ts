import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { openQueue } from "./open-queue.ts";

it("a worker has at most six connections to a server, however many tasks it runs", async () => {
  await using stack = new AsyncDisposableStack();
  const server = await startPostgres();
  stack.defer(() => server.stop());
  const database = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null, isWorker: true });
  stack.defer(() => database.close());
  await migrate(database.db);
  const queue = await openQueue(database, (error) => {
    throw error;
  });
  stack.defer(() => queue.stop());
  const running: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => void running.push(resolve));
  await queue.videos.work(16, hold);
  await queue.captions.work(16, hold);
  const tasks = Array.from({ length: 16 }, (_, i) => ({ videoId: randomUUID(), jobId: randomUUID(), startTag: i }));
  await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, tasks));
  await expect.poll(() => running.length).toBe(16);

  const count = sql<{ connections: number }>`
    select count(*)::int as connections from pg_stat_activity where backend_type = 'client backend'`;
  const counts = await Promise.all(Array.from({ length: 40 }, () => count.execute(database.db)));
  const most = Math.max(...counts.map(({ rows }) => rows[0]!.connections));
  expect(most).toBeLessThanOrEqual(6);
  // All of them count, and more than one is in use.
  expect(most).toBeGreaterThanOrEqual(4);
  for (const end of running) end();
});
