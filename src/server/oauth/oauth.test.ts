/** The official client signs in with an address alone. */
import { type Client, UnauthorizedError } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuthorizationResponse } from "#contract/oauth.ts";
import { disableAccount, enableAccount } from "#operations/accounts/disable-account.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import {
  allow,
  type Assistant,
  CALLBACK,
  connectAssistant,
  createAssistant,
  finishSignIn,
  requestOf,
  startSignIn,
} from "#tests/support/servers/assistant.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";

const LINK = "https://drive.google.com/file/d/abcdefghijklmnopqrstuvwxyz/view";
const SCOPES = ["jobs:read", "jobs:write", "sets", "library"];

let server: TestServer;
beforeAll(async () => {
  // No host answers there, so that links are checked without a network.
  server = await startTestServer(undefined, { hosts: { baseUrls: baseUrlsOf("http://127.0.0.1:9") } });
});
afterAll(() => server.close());

async function signIn(more: object = {}): Promise<{ assistant: Assistant; client: Client }> {
  const assistant = createAssistant();
  const address = await startSignIn(server.url, assistant);
  const client = await finishSignIn(server.url, assistant, await allow(server.client, address, more));
  return { assistant, client };
}

async function listTokens() {
  const tokens = server.context.db.selectFrom("api_tokens").select(["id", "name", "scopes", "expires_at"]);
  return await tokens.orderBy("created_at", "desc").execute();
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const { text } = (content as { text: string }[])[0]!;
  return { name, isError, data: isError ? text : (JSON.parse(text) as Record<string, unknown>) };
}

/** Calls each tool once, successfully, and returns their names. */
async function callEveryTool(client: Client): Promise<string[]> {
  const { db } = server.context;
  const table = { name: `Of tools ${Math.random()}`, csv: `link,caption\n${LINK},Hello\n`, preset: "House" };
  const created = await call(client, "create_job", table);
  const { id } = created.data as { id: string };
  const made = [
    created,
    await call(client, "list_jobs"),
    await call(client, "show_job", { job_id: id }),
    await call(client, "list_presets"),
    await call(client, "show_preset", { preset: "House" }),
    await call(client, "list_sets"),
    await call(client, "list_library"),
    await call(client, "check_job", table),
    await call(client, "cancel_job", { job_id: id }),
    await call(client, "wait_for_job", { job_id: id }),
  ];
  await db.updateTable("job_videos").set({ status: "Failed" }).where("job_id", "=", id).execute();
  await db.updateTable("jobs").set({ status: "Failed" }).where("id", "=", id).execute();
  made.push(await call(client, "retry_job", { job_id: id }));
  expect(made.filter(({ isError }) => isError)).toEqual([]);
  return made.map(({ name }) => name).toSorted();
}

describe("an assistant with an address alone", () => {
  it("finds out how to sign in, registers, and gets an API token with the allowed scopes and expiry", async () => {
    const assistant = createAssistant();
    const address = await startSignIn(server.url, assistant);
    expect(address.origin + address.pathname).toBe(`${server.url}/oauth/authorize`);
    expect(requestOf(address)).toMatchObject({
      redirect_uri: CALLBACK,
      code_challenge_method: "S256",
      scope: SCOPES.join(" "),
      resource: `${server.url}/mcp`,
    });
    const body = { action: "check", ...requestOf(address) };
    const { data } = await server.client.functions.invoke<AuthorizationResponse>("oauth", { body });
    expect(data!.data).toMatchObject({
      client_name: "Test assistant",
      target: { kind: "computer", name: "127.0.0.1:9" },
      scopes: SCOPES,
    });

    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const calledBack = await allow(server.client, address, { scopes: ["sets", "jobs:read"], expires_at: expiresAt });
    expect(calledBack.origin + calledBack.pathname).toBe(CALLBACK);
    expect(calledBack.searchParams.get("state")).toBe("a state/with=signs&more");
    const client = await finishSignIn(server.url, assistant, calledBack);
    expect(assistant.kept.tokens).toMatchObject({
      access_token: expect.stringMatching(/^clm_/),
      token_type: "Bearer",
      scope: "sets jobs:read",
    });
    expect(assistant.kept.tokens).not.toHaveProperty("refresh_token");
    expect(assistant.kept.tokens!.expires_in).toBeGreaterThan(29 * 86_400);
    expect((await listTokens())[0]).toMatchObject({
      name: "Test assistant",
      scopes: ["sets", "jobs:read"],
      expires_at: expiresAt,
    });
    const offered = (await client.listTools()).tools.map(({ name }) => name);
    expect(offered).toContain("list_jobs");
    expect(offered).not.toContain("create_job");
    expect(await call(client, "list_library")).toMatchObject({
      isError: true,
      data: expect.stringContaining("library"),
    });
    await client.close();
  });

  it("can call every tool, like one that has a token", async () => {
    const { error } = await server.client.from("presets").insert({ name: "House", settings: { quality: "draft" } });
    expect(error).toBeNull();
    const { client } = await signIn({ scopes: SCOPES });
    const holder = createAssistant();
    holder.kept.tokens = { access_token: await createApiToken(server.client), token_type: "Bearer" };
    const other = await connectAssistant(server.url, holder);
    const offered = (await client.listTools()).tools.map(({ name }) => name).toSorted();
    expect(await callEveryTool(client)).toEqual(offered);
    expect(await callEveryTool(other)).toEqual(offered);
    await client.close();
    await other.close();
  });

  it("must sign in again after its token is revoked, and cannot while the account is disabled", async () => {
    const { client, assistant } = await signIn();
    const id = (await listTokens())[0]!.id;
    const waiting = createAssistant();
    const calledBack = await allow(server.client, await startSignIn(server.url, waiting));

    await disableAccount(server.context, TEST_ACCOUNT.email);
    await expect(client.listTools()).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(finishSignIn(server.url, waiting, calledBack)).rejects.toThrow(/code is not valid/);
    await enableAccount(server.context, TEST_ACCOUNT.email);
    // Disabling ended the session that allowed it.
    await expect(finishSignIn(server.url, waiting, calledBack)).rejects.toThrow(/code is not valid/);
    await server.client.auth.signInWithPassword(TEST_ACCOUNT);
    expect((await client.listTools()).tools).not.toEqual([]);

    const { error } = await server.client.functions.invoke("tokens", { body: { id, revoke: true } });
    expect(error).toBeNull();
    assistant.opened = null;
    await expect(client.listTools()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(assistant.opened).not.toBeNull();
    await client.close();
  });

  it("learns that access was denied", async () => {
    const assistant = createAssistant();
    const address = await startSignIn(server.url, assistant);
    const body = { action: "check", ...requestOf(address) };
    const { data } = await server.client.functions.invoke<AuthorizationResponse>("oauth", { body });
    const denied = new URL(data!.data.deny_url!);
    expect(denied.searchParams.get("state")).toBe("a state/with=signs&more");
    await expect(finishSignIn(server.url, assistant, denied)).rejects.toThrow(/access_denied/);
  });
});
