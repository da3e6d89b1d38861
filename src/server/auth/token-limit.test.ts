import { Hono } from "hono";
import { expect, it } from "vitest";
import { pino } from "pino";
import { respondWithProblem, handleError } from "../requests/error-response.ts";
import type { ServerEnv } from "../server-context.ts";
import { createTokenLimit } from "./token-limit.ts";

it("states what is left, and rejects more, per token", async () => {
  const count = createTokenLimit({ requests: 2, seconds: 60 });
  const app = new Hono<ServerEnv>();
  app.onError(handleError(pino({ level: "silent" }), respondWithProblem));
  app.get("/:token", async (c) => {
    await count(c, c.req.param("token"));
    return c.json({});
  });
  const responses: Response[] = [];
  for (const path of ["/a", "/a", "/a", "/b"]) responses.push(await app.request(path));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(responses.map(({ headers }) => headers.get("ratelimit-policy"))).toEqual(Array(4).fill('"token";q=2;w=60'));
  expect(responses.map(({ headers }) => headers.get("ratelimit"))).toEqual(
    [1, 0, 0, 1].map((left) => expect.stringMatching(new RegExp(`^"token";r=${left};t=(60|59)$`))),
  );
  const [, , rejected] = responses;
  expect(rejected!.headers.get("retry-after")).toMatch(/^(60|59)$/);
  expect(await rejected!.json()).toMatchObject({ code: "too_many", remedy: expect.stringContaining("Retry-After") });
});
