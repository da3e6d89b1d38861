import { baseUrlsOf } from "#tests/support/test-context.ts";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionsResponse } from "#contract/account.ts";
import type { TestKeyResponse } from "#contract/settings/settings.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const GOOGLE_KEY = "AIzaTwin-0123456789";

let drive: DriveTwin;
let openAi: OpenAiTwin;
let server: TestServer;

async function call<Result>(client: SupabaseClient, name: string, body: object): Promise<Result> {
  const { data, error } = await client.functions.invoke<Result>(name, { body: { ...body } });
  if (error) throw new Error(((await error.context.json()) as { error: string }).error);
  return data!;
}

function testKey(body: object): Promise<TestKeyResponse> {
  return call(server.client, "test-key", body);
}

describe("the functions for the account and its keys", () => {
  beforeAll(async () => {
    drive = await startDriveTwin({ apiKey: GOOGLE_KEY });
    openAi = await startOpenAiTwin();
    server = await startTestServer(undefined, {
      openDatabase: openPostgresDatabase,
      hosts: { baseUrls: baseUrlsOf(drive.url) },
      openAiUrl: openAi.url,
    });
  });
  afterAll(async () => {
    await server.close();
    await drive.close();
    await openAi.close();
  });

  it("distinguish accepted and rejected keys, typed or saved", async () => {
    const none = { isValid: false, message: "There is no key to test. Enter one first." };
    expect(await testKey({ name: "google_drive_key" })).toEqual(none);
    expect(await testKey({ name: "openai_key", key: "" })).toEqual(none);
    const accepted = { isValid: true, message: "Google accepts this key." };
    expect(await testKey({ name: "google_drive_key", key: ` ${GOOGLE_KEY} ` })).toEqual(accepted);
    expect(await testKey({ name: "google_drive_key", key: "AIzaWrong" })).toEqual({
      isValid: false,
      message: "Google rejected the Google Drive key. Check it in Settings.",
    });
    expect(await testKey({ name: "openai_key", key: TWIN_KEY })).toEqual({
      isValid: true,
      message: "OpenAI accepts this key.",
    });
    const rejected = await testKey({ name: "openai_key", key: "sk-wrong" });
    expect(rejected).toEqual({ isValid: false, message: expect.stringContaining("rejected the API key") });
    await call(server.client, "settings", { google_drive_key: GOOGLE_KEY, openai_key: TWIN_KEY });
    expect(await testKey({ name: "google_drive_key" })).toEqual(accepted);
    expect((await testKey({ name: "openai_key", key: "" })).isValid).toBe(true);
    // A typed key is tested instead of the saved one.
    expect((await testKey({ name: "openai_key", key: "sk-wrong" })).isValid).toBe(false);
  });

  it("report missing credit and unavailable services", async () => {
    const other = await startOddServices();
    const context = { openAi: server.context.openAi.baseUrl };
    server.context.openAi.baseUrl = `${other.url}/no-credit`;
    expect((await testKey({ name: "openai_key", key: "sk-poor" })).message).toBe(
      "Your OpenAI account has no credit left. Add credit, then try again.",
    );
    server.context.openAi.baseUrl = `${other.url}/nobody`;
    await other.close();
    expect((await testKey({ name: "openai_key", key: "sk-any" })).message).toBe(
      "OpenAI could not be reached. Check the server's network connection.",
    );
    server.context.openAi.baseUrl = context.openAi;
    await drive.close();
    expect((await testKey({ name: "google_drive_key", key: "AIza" })).message).toBe(
      "Google Drive could not be reached. Check the network, then retry.",
    );
    drive = await startDriveTwin({ apiKey: GOOGLE_KEY, port: Number(new URL(drive.url).port) });
  });

  it("reject keys that cannot be sent, and unknown key names", async () => {
    for (const body of [
      { name: "openai_key", key: "two words" },
      { name: "openai_key", key: "schlüssel" },
    ]) {
      await expect(testKey(body)).rejects.toThrow("only ASCII letters, digits and punctuation");
      await expect(call(server.client, "settings", { openai_key: body.key })).rejects.toThrow("only ASCII letters");
    }
    await expect(testKey({ name: "password", key: "x" })).rejects.toThrow("name");
    await expect(testKey({})).rejects.toThrow("name");
  });

  it("keep working for replacing a key that can no longer be decrypted", async () => {
    await call(server.client, "settings", { openai_key: TWIN_KEY });
    await sql`update settings set value = 'v1.AAAA.AAAA.AAAA' where name = 'openai_key'`.execute(server.context.db);
    const settings = await call<Record<string, unknown>>(server.client, "settings", { method: "GET" });
    expect(settings.openai_key).toMatchObject({ set: true, last4: null });
    expect((await testKey({ name: "openai_key" })).message).toContain("APP_SECRET has changed");
  });

  it("list the account's sessions, without ended ones", async () => {
    const listed = async () => (await call<SessionsResponse>(server.client, "sessions", { method: "GET" })).data;
    expect(await listed()).toMatchObject([{ isThisOne: true, userAgent: "node" }]);
    const other = server.newClient();
    await other.auth.signInWithPassword(TEST_ACCOUNT);
    expect((await listed()).filter((session) => !session.isThisOne)).toHaveLength(1);
    await sql`update sessions set refreshed_at = now() - interval '31 days'
      where id <> ${(await listed()).find((session) => session.isThisOne)!.id}`.execute(server.context.db);
    expect(await listed()).toHaveLength(1);
    const third = server.newClient();
    await third.auth.signInWithPassword(TEST_ACCOUNT);
    expect(await listed()).toHaveLength(2);
    await third.auth.signOut({ scope: "local" });
    expect(await listed()).toHaveLength(1);
    await expect(call(server.client, "sessions", {})).rejects.toThrow("Sessions are read-only. Set method to GET.");
  });
});

/** Starts a service that responds like OpenAI without credit. */
async function startOddServices(): Promise<{ url: string; close: () => Promise<void> }> {
  const body = JSON.stringify({
    error: { message: "You exceeded your quota.", type: "insufficient_quota", code: "insufficient_quota" },
  });
  const odd = http.createServer((_request, response) => {
    response.writeHead(429, { "content-type": "application/json", "retry-after-ms": "1" }).end(body);
  });
  odd.listen(0, "127.0.0.1");
  await once(odd, "listening");
  return {
    url: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(odd, "close");
      odd.close();
      odd.closeAllConnections();
      await closed;
    },
  };
}
