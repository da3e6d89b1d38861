import { Hono } from "hono";
import { pino } from "pino";
import { expect, it } from "vitest";
import { requestLog } from "./request-log.ts";
import type { ServerEnv } from "../server-context.ts";

it("logs one line per request, without signatures and keys", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, level: "debug" },
    { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = new Hono<ServerEnv>().use(requestLog(log)).get("/downloads/:id", (c) => c.text("ok"));
  const headers = { authorization: "Bearer secret.token.here", cookie: "clipmill=secret" };
  await app.request("/downloads/7?expires=1&signature=secret", { headers });
  expect(lines).toEqual([
    expect.objectContaining({ msg: "request", method: "GET", path: "/downloads/7", status: 200 }),
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});
