import { pino } from "pino";
import { expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { startTestServer } from "#tests/support/servers/server.ts";
import { startChangeFeed } from "./change-feed.ts";

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
