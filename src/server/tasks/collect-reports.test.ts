import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { openQueue } from "#queue/open-queue.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { startCollectingReports } from "./collect-reports.ts";

it("stops immediately while the redirector hangs", async () => {
  const asked = Promise.withResolvers<void>();
  const hanging = createServer(() => asked.resolve()).listen(0, "127.0.0.1");
  await once(hanging, "listening");
  onTestFinished(() => hanging.close().closeAllConnections());
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const queue = await openQueue(database, () => {});
  onTestFinished(() => queue.stop());
  const { port } = hanging.address() as AddressInfo;
  const lines: string[] = [];
  const collecting = startCollectingReports({
    db: database.db,
    queue,
    redirector: {
      syncUrl: `http://127.0.0.1:${port}/_clipmill/publish`,
      token: "a publish token for tests",
      builtInUrl: null,
    },
    log: pino({}, { write: (line) => lines.push(line) }),
  });
  await asked.promise;
  const beganMs = performance.now();
  await collecting.stop();
  // Requests time out after 10 s.
  expect(performance.now() - beganMs).toBeLessThan(3_000);
  expect(lines).toEqual([]);
});
