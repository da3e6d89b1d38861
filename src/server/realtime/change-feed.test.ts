import { pino } from "pino";
import { expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { startTestServer } from "#tests/support/servers/server.ts";
import { type RowChange, startChangeFeed } from "./change-feed.ts";

const LONG_TIMEOUT = { timeout: 15_000 };

it("makes its listeners read again when notifications may have been lost", async () => {
  const server = await startTestServer();
  let loseNotices: (() => void) | undefined;
  // The embedded database never loses notifications; a server's connection can drop.
  const database: Database = {
    ...server.database,
    listen: (channel, onPayload, onGap) => {
      loseNotices = onGap;
      return server.database.listen(channel, onPayload);
    },
  };
  const feed = await startChangeFeed(server.context, database, pino({ level: "silent" }));
  let gaps = 0;
  feed.add({ isWanted: () => true, tell: () => {}, onGap: () => (gaps += 1) });
  loseNotices!();
  expect(gaps).toBe(1);
  await feed.stop();
  await server.close();
});

it("reads the videos of a canceled job together", async () => {
  const server = await startTestServer();
  const videos = 1_200;
  const { id } = await server.create({
    input_videos: Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/${i}/view`),
  });
  let queries = 0;
  const db = server.context.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const feed = await startChangeFeed({ ...server.context, db }, server.database, pino({ level: "silent" }));
  const told: RowChange[] = [];
  feed.add({
    isWanted: ({ table, job_id: jobId }) => table === "job_videos" && jobId === id,
    tell: (change) => told.push(change),
    onGap: () => {},
  });
  await cancelJob(server.context, id);
  await expect.poll(() => told.length, LONG_TIMEOUT).toBe(videos);
  expect(told.every(({ record }) => record?.["status"] === "Cancelled")).toBe(true);
  expect(queries).toBeLessThan(10);
  await feed.stop();
  await server.close();
});
