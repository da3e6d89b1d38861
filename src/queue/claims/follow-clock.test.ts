import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openQueue } from "../open-queue.ts";

afterEach(() => vi.restoreAllMocks());

it("does not delay tasks when the machine's clock, which its database uses, is set back by an hour", async () => {
  const database = await openTestDatabase();
  const queue = await openQueue(database, () => {});
  const task = { videoId: randomUUID(), jobId: randomUUID(), startTag: 0 };
  await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, [task]));
  // A database on this machine reads the same clock, so all times that it has stored are an hour later for it.
  const trueNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => trueNow() - 3_600_000);
  await sql`update pgboss.job set start_after = start_after + interval '1 hour'`.execute(database.db);
  const begun: string[] = [];
  await queue.videos.work(1, async ({ videoId }) => void begun.push(videoId));
  await expect.poll(() => begun, { timeout: 10_000 }).toEqual([task.videoId]);
  await queue.stop();
  await database.close();
});
