import path from "node:path";
import { Hono } from "hono";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCodeHasher } from "#operations/accounts/mail-token.ts";
import { createRefreshTokens } from "#operations/accounts/refresh-token.ts";
import { createThrottles } from "#operations/accounts/throttle.ts";
import { startTestServer, type TestServer } from "#tests/support/server.ts";
import { createAccessTokens } from "./auth/access-token.ts";
import { createApp } from "./create-app.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

const SECRET = "a secret for tests that is long enough";
const SOME_ID = "00000000-0000-4000-8000-000000000000";

/** What strangers may call: nothing else answers them anything but 401. */
const OPEN = new Set([
  "GET /health",
  "GET /ready",
  "POST /auth/v1/token",
  "POST /auth/v1/signup",
  "POST /auth/v1/recover",
  "POST /auth/v1/otp",
  "POST /auth/v1/resend",
  "POST /auth/v1/verify",
  "GET /auth/v1/verify",
  // Signed links: 403 without their signature, see below.
  "GET /downloads/jobs/:id",
  "GET /downloads/outputs/:id",
  "GET /downloads/thumbnails/:id",
  // The web app.
  "GET /*",
]);

let server: TestServer;
let app: Hono<ServerEnv>;

beforeAll(async () => {
  server = await startTestServer();
  const context: ServerContext = {
    ...server.context,
    refreshTokens: createRefreshTokens(SECRET),
    hashCode: createCodeHasher(SECRET),
    throttles: createThrottles(),
    mailer: null,
    publicUrl: null,
    allowSignup: false,
    runLater: () => {},
    uploads: {
      folder: server.folder,
      mostBytes: 0,
      probe: () => Promise.reject(new Error("Nothing is uploaded here.")),
    },
    accessTokens: createAccessTokens(SECRET),
    cookieName: "clipmill",
    embeddedPages: { batchScheduler: null, warmupRobot: null },
    log: pino({ level: "silent" }),
  };
  app = createApp(context, new Hono<ServerEnv>(), path.join(server.folder, "web"));
});
afterAll(() => server.close());

it("answers a stranger 401 at every route of the table but the open ones", async () => {
  const routes = app.routes.filter((route) => route.method !== "ALL");
  expect(routes.length).toBeGreaterThan(20);
  for (const { method, path } of routes) {
    if (OPEN.has(`${method} ${path}`)) continue;
    const url = path.replaceAll(/:[\w]+(\{[^}]*\})?/g, SOME_ID);
    const response = await app.request(url, { method, ...(method === "GET" ? {} : { body: "{}" }) });
    expect([method, path, response.status]).toEqual([method, path, 401]);
  }
});

it("knows each of the open ones, so that the list above holds nothing that is gone", () => {
  const known = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
  for (const route of OPEN) expect(known).toContain(route);
});

it("answers a stranger 401 at tables and functions that do not exist, too, and 403 without a signature", async () => {
  for (const path of ["/rest/v1/accounts", "/rest/v1/sessions?select=*", "/rest/v1/", "/functions/v1/unknown"]) {
    for (const method of ["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD"]) {
      expect([method, path, (await app.request(path, { method })).status]).toEqual([method, path, 401]);
    }
  }
  for (const kind of ["jobs", "outputs", "thumbnails"]) {
    expect((await app.request(`/downloads/${kind}/${SOME_ID}`)).status).toBe(403);
  }
});
