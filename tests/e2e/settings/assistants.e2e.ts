/** An AI assistant opens the app in the browser, which asks for consent. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { sql } from "kysely";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";
import { createAssistant, finishSignIn, startSignIn } from "#tests/support/servers/assistant.ts";
import { copyWebApp, startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;
let listener: Server;
/** Paths that the assistant on this computer was called back with. */
const calls: string[] = [];
let callback: string;

test.beforeAll(async () => {
  server = await startTestServer(copyWebApp);
  listener = createServer(({ url }, response) => {
    if (url?.startsWith("/callback")) calls.push(url);
    const script = "document.title = opener ? 'Assistant in a popup' : 'Assistant'";
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<script>${script}</script>Signed in`);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
});
test.afterAll(async () => {
  listener.closeAllConnections();
  listener.close();
  await server.close();
});
test.beforeEach(() => {
  calls.length = 0;
});

async function submitSignIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(TEST_ACCOUNT.email);
  await page.getByLabel("Password").fill(TEST_ACCOUNT.password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

test("an assistant signs in with an address alone: signed out, sign-in, Allow, back with a code", async ({ page }) => {
  const errors = watchConsole(page);
  const assistant = createAssistant(callback);
  const response = await page.goto((await startSignIn(server.url, assistant)).href);
  // Another site cannot put the decision under a visitor's mouse.
  expect(response!.headers()).toMatchObject({
    "x-frame-options": "DENY",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    "referrer-policy": "no-referrer",
  });
  await submitSignIn(page);
  await expect(page.getByRole("heading", { name: "Connect an assistant" })).toBeVisible();
  const main = page.getByRole("main");
  await expect(main).toContainText(`Allow “Test assistant” to use Clipmill as ${TEST_ACCOUNT.email}?`);
  await expect(main).toContainText(`Access goes to an app on this computer (${new URL(callback).host}).`);
  const permission = (name: string) => page.getByRole("checkbox", { name });
  await expect(permission("See jobs and download files")).toBeChecked();
  await expect(permission("Create, change and delete jobs")).toBeChecked();
  await expect(permission("Domains, routes and publishing")).not.toBeChecked();
  await expect(permission("Workers, queue and audit log")).toHaveCount(0);
  await expectAccessible(page, "consent");
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await expectAccessible(page, "consent on a phone");

  await permission("Create, change and delete jobs").press("Space");
  await permission("Library and uploads").press("Space");
  await page.getByText("30 days").click();
  expect(calls).toEqual([]);
  await page.getByRole("button", { name: "Allow" }).dblclick();
  await expect(page).toHaveTitle("Assistant");
  expect(calls).toHaveLength(1);
  const calledBack = new URL(calls[0]!, callback);
  expect(calledBack.searchParams.get("state")).toBe(assistant.state!());
  const client = await finishSignIn(server.url, assistant, calledBack);
  expect(assistant.kept.tokens!.scope).toBe("jobs:read sets");
  expect(assistant.kept.tokens!.expires_in! / 86_400).toBeCloseTo(30, 0);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_jobs");
  await client.close();

  await page.goto(`${server.url}/settings/automation`);
  const tokens = page.getByRole("region", { name: "API Tokens" });
  await expect(tokens).toContainText(`Add ${server.url}/mcp to the assistant.`);
  await expect(tokens.getByRole("listitem").filter({ hasText: "Test assistant" })).toContainText(
    "See jobs and download files · Caption sets and audio sets",
  );
  expect(errors).toEqual([]);
});

test("an assistant may open the screen in a popup, which rests before Allow works", async ({ page }) => {
  await page.goto(new URL("/", callback).href);
  const address = await startSignIn(server.url, createAssistant(callback));
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate((href) => void window.open(href, "assistant", "width=480,height=700"), address.href),
  ]);
  await submitSignIn(popup);
  await expect(popup.getByRole("button", { name: "Allow" })).toBeVisible();
  await popup.clock.install();
  await popup.reload();
  const allowed = popup.getByRole("button", { name: "Allow" });
  await expect(allowed).toBeVisible();
  await popup.clock.pauseAt(Date.now() + 10_000);
  await popup.evaluate(() => window.dispatchEvent(new Event("focus")));
  await popup.clock.runFor(900);
  await expect(allowed).toBeDisabled();
  await popup.clock.runFor(200);
  await expect(allowed).toBeEnabled();
  await popup.clock.resume();
  await allowed.click();
  await expect(popup).toHaveTitle("Assistant in a popup");
});

test("the screen leads to another account, and an app is not opened by Deny", async ({ page }) => {
  await signIn(page, server.url);
  await page.goto((await startSignIn(server.url, createAssistant("com.example.app:/callback"))).href);
  await expect(page.getByRole("main")).toContainText("Access goes to the app that opens com.example.app links.");
  await page.getByRole("button", { name: "Use another account" }).click();
  await submitSignIn(page);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
  await expect(page).toHaveURL(/\/oauth\/authorize/);
});

test("an old sign-in requires the password, and Deny gives no access", async ({ page }) => {
  await signIn(page, server.url);
  await sql`update sessions set created_at = now() - interval '1 hour'`.execute(server.context.db);
  const assistant = createAssistant(callback);
  const address = await startSignIn(server.url, assistant);
  await page.goto(address.href);
  await page.getByRole("button", { name: "Allow" }).click();
  const password = page.getByLabel("Current password");
  await expect(password).toBeFocused();
  await expectAccessible(page, "confirming the password");
  await password.fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText("The current password is incorrect.");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page).toHaveTitle("Assistant");
  const denied = new URL(calls[0]!, callback).searchParams;
  expect(denied.get("error")).toBe("access_denied");
  expect(denied.get("state")).toBe(assistant.state!());

  await page.goto(address.href);
  await page.getByRole("button", { name: "Allow" }).click();
  await password.fill(TEST_ACCOUNT.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle("Assistant");
  expect(new URL(calls[1]!, callback).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
});

test("a request that is not valid shows why, and leads nowhere", async ({ page }) => {
  await signIn(page, server.url);
  const address = await startSignIn(server.url, createAssistant(callback));
  for (const [name, value, sentence] of [
    ["redirect_uri", `${callback}/other`, "The redirect URI is not one that the assistant registered."],
    ["client_id", "made up", "The assistant is not registered with this server."],
    ["code_challenge_method", "plain", "The assistant must use PKCE with the method S256."],
  ] as const) {
    const wrong = new URL(address);
    wrong.searchParams.set(name, value);
    await page.goto(wrong.href);
    await expect(page.getByRole("main")).toContainText(sentence);
    await expect(page.getByRole("button", { name: "Allow" })).toHaveCount(0);
  }
  await expectAccessible(page, "a wrong request");
  // The router must not rewrite what an assistant sent.
  const state = '{"n":1e5,"plus":"a+b"}';
  address.searchParams.set("state", state);
  // A link cannot decide anything itself.
  address.searchParams.set("action", "allow");
  address.searchParams.set("current_password", TEST_ACCOUNT.password);
  const sent: unknown[] = [];
  page.on("request", (one) => one.url().endsWith("/functions/v1/oauth") && sent.push(one.postDataJSON()));
  await page.goto(address.href);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page).toHaveTitle("Assistant");
  expect(new URL(calls[0]!, callback).searchParams.get("state")).toBe(state);
  expect(sent).toEqual([expect.objectContaining({ action: "check", state })]);
  expect(sent[0]).not.toHaveProperty("current_password");
});
