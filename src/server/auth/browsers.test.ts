import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const OWN_PAGE = { "sec-fetch-site": "same-origin" };

type Browser = { openTab(): SupabaseClient; cookie(): string; stored(): string };

/** Simulates a browser for one origin: cookie jar, storage, and headers that scripts cannot set. */
function openBrowser(server: TestServer): Browser {
  let cookie = "";
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const browse: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("sec-fetch-site", "same-origin");
    headers.set("origin", server.url);
    if (cookie) headers.set("cookie", cookie);
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return response;
  };
  return {
    openTab: () =>
      createClient(server.url, "any key", {
        auth: { storage, persistSession: true, autoRefreshToken: false, detectSessionInUrl: false },
        global: { fetch: browse },
      }),
    cookie: () => cookie.split("=")[1] ?? "",
    stored: () => [...kept.values()].join(" "),
  };
}

/** Moves the use of all tokens beyond the reuse window. */
async function expireReuseWindow(server: TestServer): Promise<void> {
  await sql`update refresh_tokens set used_at = used_at - interval '11 seconds'`.execute(server.context.db);
}

async function isSignedIn(tab: SupabaseClient): Promise<boolean> {
  return (await tab.from("jobs").select("id")).error === null;
}

/** `host` is what the server sees. */
async function signInAt(server: TestServer, headers: Record<string, string>): Promise<string> {
  const call = request(`${server.url}/auth/v1/token?grant_type=password`, { method: "POST", headers });
  call.end(JSON.stringify(TEST_ACCOUNT));
  const { promise, resolve } = Promise.withResolvers<string>();
  call.once("response", (response) => {
    void json(response).finally(() => resolve(String(response.headers["set-cookie"])));
  });
  return promise;
}

describe("a browser", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());

  // spec 4.10.1
  it("stays signed in when two tabs repeatedly refresh at the same time", async () => {
    const browser = openBrowser(server);
    const [one, two] = [browser.openTab(), browser.openTab()];
    expect((await one.auth.signInWithPassword(TEST_ACCOUNT)).error).toBeNull();
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await Promise.all([one.auth.refreshSession(), two.auth.refreshSession()]);
      await expireReuseWindow(server);
      expect(await Promise.all([isSignedIn(one), isSignedIn(two)])).toEqual([true, true]);
    }
  });

  it("keeps the refresh token hidden from scripts", async () => {
    const browser = openBrowser(server);
    const tab = browser.openTab();
    await tab.auth.signInWithPassword(TEST_ACCOUNT);
    await tab.auth.refreshSession();
    expect(browser.cookie()).toMatch(/^[\w-]{43}$/);
    expect(browser.stored()).toContain('"refresh_token":"cookie.');
    expect(browser.stored()).not.toContain(browser.cookie());
  });

  it("is signed out in all tabs when a long-used token is used elsewhere", async () => {
    const browser = openBrowser(server);
    const [one, two] = [browser.openTab(), browser.openTab()];
    await one.auth.signInWithPassword(TEST_ACCOUNT);
    const stolen = browser.cookie();
    await one.auth.refreshSession();
    await one.auth.refreshSession();
    await expireReuseWindow(server);
    const { error } = await server.newClient().auth.refreshSession({ refresh_token: stolen });
    expect(error).toMatchObject({ status: 400, code: "refresh_token_already_used" });
    expect(await Promise.all([isSignedIn(one), isSignedIn(two)])).toEqual([false, false]);
    // The client's error for a missing session.
    expect((await two.auth.refreshSession()).error?.name).toBe("AuthSessionMissingError");
  });

  it("signs out only this browser, or all of the account's browsers", async () => {
    const [here, there] = [openBrowser(server), openBrowser(server)];
    const [one, other] = [here.openTab(), there.openTab()];
    await one.auth.signInWithPassword(TEST_ACCOUNT);
    await other.auth.signInWithPassword(TEST_ACCOUNT);
    await one.auth.signOut({ scope: "local" });
    expect(here.cookie()).toBe("");
    expect(await isSignedIn(other)).toBe(true);
    await one.auth.signInWithPassword(TEST_ACCOUNT);
    await one.auth.signOut();
    expect(await isSignedIn(other)).toBe(false);
  });
});

describe("the cookie's flags", () => {
  it.each([
    ["http://localhost", null, "localhost:8080", { origin: "http://localhost:8080" }, false],
    ["a LAN address", null, "192.168.1.20:8080", { origin: "http://192.168.1.20:8080" }, false],
    ["https", null, "clips.test", { origin: "https://clips.test" }, true],
    ["a proxy that names the protocol", null, "clips.test", { ...OWN_PAGE, "x-forwarded-proto": "https" }, true],
    [
      "a proxy that hands another host on",
      "https://clips.test",
      "127.0.0.1:8080",
      { origin: "https://clips.test" },
      true,
    ],
    [
      "a LAN address beside PUBLIC_URL",
      "https://clips.test",
      "192.168.1.20:8080",
      { origin: "http://192.168.1.20:8080" },
      false,
    ],
    ["PUBLIC_URL, where a browser names no origin", "https://clips.test", "clips.test", OWN_PAGE, true],
  ])("at %s", async (_, publicUrl, host, headers, isSecure) => {
    const server = await startTestServer(undefined, publicUrl ? { publicUrl } : {});
    const cookie = await signInAt(server, { ...headers, host });
    expect(cookie).toMatch(/; HttpOnly;(?: Secure;)? SameSite=Strict$/);
    expect(cookie.includes("; Secure;")).toBe(isSecure);
    await server.close();
  });
});
