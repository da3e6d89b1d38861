import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openQueue } from "../open-queue.ts";

afterEach(() => vi.restoreAllMocks());

it("does not delay tasks when the machine's clock, which the embedded database uses, is set back by an hour", async () => {
  const database = await openTestDatabase();
  const queue = await openQueue(database, () => {});
  const task = { videoId: randomUUID(), jobId: randomUUID(), startTag: 0 };
  await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, [task]));
  // The embedded database reads the same clock.
  const trueNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => trueNow() - 3_600_000);
  const { rows } = await sql<{ waits: boolean }>`
    select start_after > now() + interval '50 minutes' as waits from pgboss.job`.execute(database.db);
  expect(rows).toEqual([{ waits: true }]);
  const begun: string[] = [];
  await queue.videos.work(1, async ({ videoId }) => void begun.push(videoId));
  await expect.poll(() => begun, { timeout: 10_000 }).toEqual([task.videoId]);
  await queue.stop();
  await database.close();
});
