import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { openTestApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import type { ServerEnv } from "./server-context.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const SOME_ID = "00000000-0000-4000-8000-000000000000";

/** Routes open without a session (DESIGN section 5); all others return 401. */
const OPEN = new Set([
  "GET /health",
  "GET /ready",
  // Has its own token; 404 without one, see metrics.test.ts.
  "GET /metrics",
  "POST /auth/v1/token",
  "POST /auth/v1/signup",
  "POST /auth/v1/recover",
  "POST /auth/v1/otp",
  "POST /auth/v1/resend",
  "POST /auth/v1/verify",
  "GET /auth/v1/verify",
  // Pages of the sign-in at an identity provider, see open-id.test.ts.
  "GET /auth/v1/oidc/start",
  "GET /auth/v1/oidc/callback",
  "GET /auth/v1/oidc/sign-out",
  // Unknown sign-in calls, which are rejected as unsupported.
  "ALL /auth/v1/*",
  // Signed links: 403 without a signature, see below.
  "ALL /downloads/*",
  "GET /downloads/jobs/:id",
  "GET /downloads/approved/:id",
  "GET /downloads/manifests/:id",
  "GET /downloads/sources/:id",
  "GET /downloads/transcripts/:id",
  "GET /downloads/outputs/:id",
  "GET /downloads/covers/:id",
  "GET /downloads/subtitles/:id",
  "GET /downloads/thumbnails/:id",
  "GET /downloads/library/:id",
  "GET /downloads/library-thumbnails/:id",
  // Guest links: 404 without a valid token, see guest-routes.test.ts.
  "GET /guest/:token/view",
  "GET /guest/:token/samples/:id",
  "GET /guest/:token/thumbnails/:id",
  "POST /guest/:token/comments",
  "POST /guest/:token/approve",
  "ALL /guest/:token/:rest{.+}",
  "ALL /guest/*",
  // OAuth of assistants, which starts without a session, see oauth.test.ts.
  "GET /.well-known/oauth-protected-resource",
  "OPTIONS /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/mcp",
  "OPTIONS /.well-known/oauth-protected-resource/mcp",
  "GET /.well-known/oauth-authorization-server",
  "OPTIONS /.well-known/oauth-authorization-server",
  "POST /oauth/register",
  "OPTIONS /oauth/register",
  "POST /oauth/token",
  "OPTIONS /oauth/token",
  // The web app, and middleware.
  "GET /*",
  "ALL /*",
]);

let server: TestServer;
let app: Hono<ServerEnv>;
let closeApp: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer();
  ({ app, close: closeApp } = await openTestApp(server));
});
afterAll(async () => {
  await closeApp();
  await server.close();
});

describe("every route of the server", () => {
  // spec 6.1
  it("returns 401 without a session, except for the open ones", async () => {
    const responses: [string, number][] = [];
    for (const { method, path } of app.routes) {
      if (OPEN.has(`${method} ${path}`)) continue;
      const url = server.url + path.replaceAll(/:\w+(\{[^}]*\})?/g, SOME_ID).replace("*", "x");
      for (const each of method === "ALL" ? METHODS : [method]) {
        const body = each === "GET" || each === "HEAD" ? {} : { body: "{}" };
        responses.push([`${each} ${path}`, (await fetch(url, { method: each, ...body })).status]);
      }
    }
    // A live connection opens without a session, but every join requires a token.
    const wrong = responses.filter(([route, status]) => status !== 401 && !route.includes(" /realtime/v1/"));
    expect(wrong).toEqual([]);
    expect(responses.length).toBeGreaterThan(40);
  });

  it("exists if it is in the list of open ones", () => {
    const known = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
    for (const route of OPEN) expect(known).toContain(route);
  });

  it("returns 401 without a session for unknown tables and functions too", async () => {
    for (const path of ["/rest/v1/accounts", "/rest/v1/sessions?select=*", "/rest/v1/", "/functions/v1/unknown"]) {
      for (const method of METHODS) {
        expect([method, path, (await fetch(server.url + path, { method })).status]).toEqual([method, path, 401]);
      }
    }
  });

  it("rejects links that are expired or were not signed here", async () => {
    const other = createLinkSigner("another secret that is long enough");
    const past = createLinkSigner("a secret for tests that is long enough", () => 0);
    for (const folder of ["jobs", "approved", "outputs", "sources", "thumbnails", "library", "library-thumbnails"]) {
      const path = `/downloads/${folder}/${SOME_ID}`;
      for (const link of [path, other.sign(path), past.sign(path), server.context.links.sign("/downloads/x")]) {
        expect([link, (await fetch(server.url + link)).status]).toEqual([link, expect.toBeOneOf([403, 404])]);
      }
      expect((await fetch(server.url + path)).status).toBe(403);
    }
  });

  it("is described in /openapi.json unless it is for signing in, guests, workers or the web app", async () => {
    const { data } = await server.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session!.access_token}` };
    const document = (await (await fetch(`${server.url}/openapi.json`, { headers })).json()) as {
      info: { version: string };
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.info.version).toBe(VERSION);
    const missing = app.routes
      // A GET of a function is the same as a POST that reads.
      .filter(({ method, path }) => method === "POST" || path === "/functions/v1/audit" || path.startsWith("/down"))
      .filter(({ method, path }) => method !== "ALL" && !/^\/(auth|rest|guest|oauth|worker)\//.test(path))
      .map(({ method, path }) => [method.toLowerCase(), path.replaceAll(/:(\w+)/g, "{$1}").replace(/\/$/, "")] as const)
      .filter(([method, path]) => !document.paths[path]?.[method]);
    expect(missing).toEqual([]);
    const known = new Set(app.routes.map(({ path }) => path.replaceAll(/:(\w+)/g, "{$1}").replace(/\/$/, "")));
    expect(Object.keys(document.paths).filter((path) => !path.startsWith("/rest/") && !known.has(path))).toEqual([]);
  });

  it("sends the security headers with every kind of response", async () => {
    const { data } = await server.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session!.access_token}` };
    const body = "x".repeat(2 * 1024 * 1024);
    const responses: [number, Response][] = [
      [200, await fetch(`${server.url}/health`)],
      [200, await fetch(`${server.url}/rest/v1/jobs`, { headers })],
      [200, await fetch(`${server.url}/openapi.json`, { headers })],
      [204, await fetch(`${server.url}/rest/v1/domains?name=eq.x`, { method: "DELETE", headers })],
      [400, await fetch(`${server.url}/functions/v1/jobs`, { method: "POST", headers, body: "{" })],
      [400, await fetch(`${server.url}/realtime/v1/websocket/x`)],
      [401, await fetch(`${server.url}/rest/v1/jobs`)],
      [403, await fetch(`${server.url}/rest/v1/jobs?status=eq.x`, { method: "DELETE", headers })],
      [404, await fetch(`${server.url}/assets/none.js`)],
      [404, await fetch(`${server.url}/nothing`, { method: "POST" })],
      [405, await fetch(`${server.url}/rest/v1/jobs`, { method: "PUT", headers })],
      [406, await fetch(`${server.url}/rest/v1/jobs`, { headers: { ...headers, accept: "text/csv" } })],
      [413, await fetch(`${server.url}/functions/v1/settings`, { method: "POST", headers, body })],
    ];
    for (const [status, response] of responses) {
      expect([response.url, response.status]).toEqual([response.url, status]);
      const policy = response.headers.get("content-security-policy");
      expect(policy).toMatch(/default-src 'self'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/);
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("x-frame-options")).toBe("DENY");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(response.headers.get("cache-control")).toMatch(/no-store|no-cache/);
      expect(await response.text()).not.toMatch(/\bat .*\.ts:\d+/);
    }
  });
});
