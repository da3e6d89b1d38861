import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { createFramedPages } from "./framed-pages.ts";

const WARMUP = "https://robot.test:8443/panel?tab=1";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer(
    async (folder) => {
      await mkdir(path.join(folder, "web"));
      await writeFile(path.join(folder, "web/index.html"), "<!doctype html><title>Clipmill</title>");
    },
    {
      publicUrl: "https://clips.test",
      embeddedPages: { batchScheduler: "https://plan.test/board", warmupRobot: null },
      ownOrigins: ["https://clips.test"],
    },
  );
  token = (await server.client.auth.getSession()).data.session!.access_token;
});
afterAll(() => server.close());

async function save(settings: object): Promise<{ status: number; body: SettingsResponse & { error?: string } }> {
  const response = await fetch(`${server.url}/functions/v1/settings`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(settings),
  });
  return { status: response.status, body: (await response.json()) as SettingsResponse & { error?: string } };
}

/** The page in the browser's cache. */
let kept: { etag: string; rule: string | undefined } | null = null;

async function frameRule(): Promise<string | undefined> {
  const page = await fetch(server.url, { headers: kept ? { "if-none-match": kept.etag } : {} });
  if (page.status === 304) return kept!.rule;
  const policy = page.headers.get("content-security-policy");
  kept = { etag: page.headers.get("etag")!, rule: ruleOf(policy) };
  return kept.rule;
}

function ruleOf(policy: string | null): string | undefined {
  return policy?.split("; ").find((rule) => rule.startsWith("frame-src"));
}

it("applies a saved address immediately on every server and records it in the audit log", async () => {
  const other = createFramedPages({
    db: server.context.db,
    embeddedPages: { batchScheduler: null, warmupRobot: null },
  });
  expect(await frameRule()).toBe("frame-src https://plan.test");
  expect(await other.read()).toEqual([]);
  expect((await save({ warmup_robot_url: ` ${WARMUP} ` })).body).toMatchObject({
    batch_scheduler_url: "https://plan.test/board",
    warmup_robot_url: WARMUP,
    fixed_settings: ["batch_scheduler_url"],
  });
  expect(await frameRule()).toBe("frame-src https://plan.test https://robot.test:8443");
  expect(await other.read()).toEqual(["https://robot.test:8443"]);
  const { data } = await server.client.functions.invoke("embedded-pages", { body: { method: "GET" } });
  expect(data).toEqual({ data: { batchScheduler: "https://plan.test/board", warmupRobot: WARMUP } });
  const written = server.context.db.selectFrom("audit_entries").select(["action", "subject"]);
  await expect.poll(() => written.execute()).toContainEqual({ action: "settings.save", subject: "warmup_robot_url" });
  expect((await save({ default_variants: 2 })).body.warmup_robot_url).toBe(WARMUP);
  expect((await save({ warmup_robot_url: "" })).body.warmup_robot_url).toBeNull();
  expect(await frameRule()).toBe("frame-src https://plan.test");
});

it.each([
  ["clips.test/page", "warmup_robot_url must be a valid URL that starts with http:// or https://."],
  ["javascript:alert(1)", "warmup_robot_url must be a valid URL that starts with http:// or https://."],
  ["data:text/html,hello", "warmup_robot_url must be a valid URL that starts with http:// or https://."],
  ["https://me:secret@robot.test/", "warmup_robot_url must not contain a username or password."],
  ["https://robot.test;sandbox/", "warmup_robot_url must have a host name of letters, digits, dots and hyphens."],
  ["https://robot.test,default-src/", "warmup_robot_url must have a host name of letters, digits, dots and hyphens."],
  ["https://*/", "warmup_robot_url must have a host name of letters, digits, dots and hyphens."],
  ["https://CLIPS.test/settings", "warmup_robot_url must not point to Clipmill itself."],
])("rejects %s and changes nothing", async (address, error) => {
  expect(await save({ warmup_robot_url: address, default_variants: 9 })).toMatchObject({
    status: 400,
    body: { error },
  });
  expect((await save({})).body).toMatchObject({ warmup_robot_url: null });
  expect((await save({})).body.default_variants).not.toBe(9);
});

it("rejects the request's own address, and one set by the environment", async () => {
  const own = await save({ warmup_robot_url: `${server.url}/settings` });
  expect(own.body.error).toBe("warmup_robot_url must not point to Clipmill itself.");
  const fixed = await save({ batch_scheduler_url: "https://elsewhere.test/" });
  const error = "BATCH_SCHEDULER_URL in the server's environment sets this address. Change it there.";
  expect(fixed).toMatchObject({ status: 409, body: { error } });
});
