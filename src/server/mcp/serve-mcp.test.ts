import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TokenScope } from "#contract/api-tokens.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";

const LINK = "https://drive.google.com/file/d/abcdefghijklmnopqrstuvwxyz/view";

let server: TestServer;
beforeAll(async () => {
  // No host answers there, so that links are checked without a network.
  server = await startTestServer(undefined, { hosts: { baseUrls: baseUrlsOf("http://127.0.0.1:9") } });
});
afterAll(() => server.close());

async function connect(scopes?: readonly TokenScope[]): Promise<Client> {
  const token = await createApiToken(await signedInClient(server.url), scopes);
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  return client;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client["callTool"]>[1] = {},
) {
  const { content, isError = false } = await client.callTool({ name, arguments: args }, options);
  const { text } = (content as { text: string }[])[0]!;
  return { isError, data: isError ? text : (JSON.parse(text) as Record<string, unknown>) };
}

it("creates a job after showing its plan, and reports and cancels it", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["create_job", "wait_for_job", "list_library"]));
  const words = { name: "By an assistant", csv: `link,caption\n${LINK},Hello\n`, settings: { quality: "draft" } };
  const planned = await call(client, "create_job", { ...words, dry_run: true });
  expect(planned.data).toMatchObject({ is_created: false, plan: { videos: 1, files: 1 }, problems: [] });
  expect(planned.data).toMatchObject({ forecast: { files: 1, output_seconds: null, pending_links: 0 } });
  expect(await call(client, "list_jobs")).toMatchObject({ data: { total: 0 } });
  const { data: created } = await call(client, "create_job", words);
  const { id } = created as { id: string };
  expect(created).toMatchObject({ is_created: true, name: "By an assistant", page: `${server.url}/jobs/${id}` });
  expect((await call(client, "create_job", words)).data).toMatchObject({ id });
  const reported: number[] = [];
  const waited = await call(
    client,
    "wait_for_job",
    { job_id: id, seconds: 1 },
    { onprogress: ({ progress }) => void reported.push(progress) },
  );
  expect(waited.data).toMatchObject({ status: "Queued", has_ended: false });
  expect(reported).toContain(0);
  expect((await call(client, "cancel_job", { job_id: id })).data).toEqual({ id, status: "Cancelled" });
  expect((await call(client, "wait_for_job", { job_id: id })).data).toMatchObject({
    status: "Cancelled",
    has_ended: true,
  });
  await client.close();
});

it("shows the planned captions, which turn captions on, before and while creating a job", async () => {
  const client = await connect();
  const words = {
    name: "Planned",
    csv: `link,caption\n${LINK},\n${LINK},Own\n`,
    settings: { custom_captions: ["A", "B", "C"], variants_per_video: 2 },
  };
  const captions = [
    { row: 1, captions: ["A", "B"] },
    { row: 2, captions: ["Own", "Own"] },
  ];
  const { data: checked } = await call(client, "check_job", words);
  expect(checked).toMatchObject({ plan: { videos: 2, files: 4 }, captions });
  expect(await call(client, "create_job", { ...words, dry_run: true })).toMatchObject({ data: { captions } });
  await client.close();
});

it("shows large jobs and presets in few words", async () => {
  const client = await connect();
  const { id } = await server.create({
    input_videos: Array.from({ length: 1_000 }, (_, n) => LINK.replace("abcdef", `video-${n}-`)),
    captions_enabled: true,
    custom_captions: Array.from({ length: 1_000 }, (_, n) => `Caption ${n} ${"x".repeat(1_000)}`),
  });
  const { data: shown } = await call(client, "show_job", { job_id: id });
  expect(shown).toMatchObject({ job: { total_videos: 1_000 } });
  expect(JSON.stringify(shown).length).toBeLessThan(2_000);
  await server.client.from("presets").insert({ name: "Two", settings: { variants_per_video: 2 } });
  const { data: preset } = await call(client, "show_preset", { preset: "Two" });
  expect((preset as { settings: object }).settings).toEqual({ variants_per_video: 2 });
  await client.close();
});

it("describes every setting, and stays small", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  for (const name of ["check_job", "create_job"]) {
    const { properties } = tools.find((tool) => tool.name === name)!.inputSchema;
    const settings = (properties!["settings"] as { properties: Record<string, { description?: string }> }).properties;
    expect(Object.keys(settings).length).toBeGreaterThan(60);
    const described = Object.keys(settings).filter((setting) => settings[setting]!.description?.endsWith("."));
    expect(described).toEqual(Object.keys(settings));
    expect(settings["segment_duration"]!.description).toMatch(/Default: 30\.$/);
    expect(settings["ducking_db"]!.description).toMatch(/In dB\. Default: 0\.$/);
    // Model providers recommend one type per schema.
    expect(JSON.stringify(settings)).not.toContain('"type":[');
  }
  expect(JSON.stringify(tools).length).toBeLessThan(45_000);
  await client.close();
});

it("offers and does only what the token's scopes allow, and returns the API's sentences", async () => {
  const client = await connect(["jobs:read"]);
  const { tools } = await client.listTools();
  const offered = tools.map(({ name }) => name);
  expect(offered).not.toContain("create_job");
  expect(offered).not.toContain("check_job");
  expect(await call(client, "list_library")).toEqual({ isError: true, data: expect.stringContaining("library") });
  expect(await call(client, "show_job", { job_id: "00000000-0000-4000-8000-000000000000" })).toEqual({
    isError: true,
    data: expect.stringContaining("There is no job"),
  });
  await client.close();
});

it("rejects a body that is too large, too deep or not JSON, and serves the next request", async () => {
  const token = await createApiToken(await signedInClient(server.url), ["jobs:read"]);
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const statuses: number[] = [];
  for (const body of [`"${"x".repeat(21 * 1024 ** 2)}"`, "[".repeat(300_000), "{", ""]) {
    const response = await fetch(`${server.url}/mcp`, { method: "POST", headers, body });
    await response.text();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([413, 413, 400, 400]);
});

it("rejects requests without a token", async () => {
  const response = await fetch(`${server.url}/mcp`, { method: "POST", body: "{}" });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
});
