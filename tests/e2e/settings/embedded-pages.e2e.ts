import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { type ClipmillProcess, runClipmillToItsEnd } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { openDashboard, signIn } from "#tests/support/browser/screens.ts";

let folder: string;
let site: Server;
let otherSite: Server;
let siteUrl: string;
let clipmill: ClipmillProcess;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-pages-"));
  site = await startSite();
  otherSite = await startSite();
  siteUrl = urlOf(site);
  clipmill = await startInstalledClipmill(path.join(folder, "data"), {
    BATCH_SCHEDULER_URL: `${siteUrl}/board?week=47#monday`,
  });
});

test.afterAll(async () => {
  await clipmill.stop();
  for (const server of [site, otherSite]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
});

// spec 2.9.1
test("a configured page is embedded in a sandbox and cannot navigate the tab away", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  await expect(page.getByRole("heading", { level: 1, name: "Batch Scheduler" })).toBeVisible();
  await expect(page.getByText("Plan when your batches are posted")).toBeVisible();
  const frame = page.getByTitle("Batch Scheduler");
  await expect(frame).toHaveAttribute("src", `${siteUrl}/board?week=47#monday`);
  await expect(frame).toHaveAttribute(
    "sandbox",
    "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads",
  );
  await expect(frame.contentFrame().getByText("Scripts run, at /board?week=47")).toBeVisible();
  await expect(page.getByText("Loading the page...")).toHaveCount(0);
  expect(errors).toEqual([]);
  await frame.contentFrame().getByRole("button", { name: "Take over" }).click();
  await expect(frame.contentFrame().getByText("The tab could not be led away")).toBeVisible();
  await expect(page).toHaveURL(`${clipmill.url}/bulk-scheduler`);
});

test("Open in new tab opens the page without referrer and opener", async ({ page, context }) => {
  await injectSession(page, clipmill.url);
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Open in new tab" }).click();
  const tab = await opened;
  await expect(tab.getByText("Scripts run, at /board?week=47")).toBeVisible();
  await expect(tab.getByText("Came from nowhere")).toBeVisible();
  expect(await tab.evaluate(() => window.opener === null)).toBe(true);
});

test("only the configured page's origin may be framed", async ({ page, request }) => {
  const policy = (await request.get(clipmill.url)).headers()["content-security-policy"];
  expect(policy?.split("; ").filter((rule) => rule.startsWith("frame-src"))).toEqual([`frame-src ${siteUrl}`]);
  await injectSession(page, clipmill.url);
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  const rejected = page.waitForEvent("console", (message) => message.text().includes("frame-src"));
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, urlOf(otherSite));
  await rejected;
});

test("a page that rejects framing can be opened in a new tab", async ({ page }) => {
  await injectSession(page, clipmill.url);
  await fulfillPages(page, { batchScheduler: `${siteUrl}/rejects`, warmupRobot: null });
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  await expect(page.getByText("Nothing here? Some sites can't be embedded. Open the page in a new tab.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Open in new tab" })).toHaveAttribute("href", `${siteUrl}/rejects`);
  await expect(page.getByText("Loading the page...")).toHaveCount(0);
});

// spec 2.9.1, 2.10.1
test("an unset page explains its purpose, links to its setting, and appears once the setting is saved", async ({
  page,
}) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/warmup-automation`);
  await expect(page.getByRole("heading", { level: 1, name: "Warmup Robot" })).toBeVisible();
  await expect(page.getByText("Automate your account warmup and engagement processes")).toBeVisible();
  await expect(page.getByText("Warmup Robot is not set up yet")).toBeVisible();
  await expect(page.getByText("This screen shows the control page of your account warmup tool")).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Open in new tab" })).toHaveCount(0);
  expect(errors).toEqual([]);
  await page.getByRole("link", { name: "Set the address in Settings" }).click();
  const pages = page.getByRole("form", { name: "Embedded Pages" });
  const fixed = pages.getByLabel("Batch Scheduler address");
  await expect(fixed).toHaveValue(`${siteUrl}/board?week=47#monday`);
  await expect(fixed).not.toBeEditable();
  await expect(pages.getByText("Set by BATCH_SCHEDULER_URL in the server's environment.")).toBeVisible();
  const field = pages.getByLabel("Warmup Robot address");
  await field.fill(`${clipmill.url}/settings`);
  await pages.getByRole("button", { name: "Save addresses" }).click();
  await expect(pages.getByText("The address must not point to Clipmill itself.")).toBeVisible();
  await field.fill(`${urlOf(otherSite)}/robot`);
  await pages.getByRole("button", { name: "Save addresses" }).click();
  await expect(page.getByText("Addresses Saved")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Warmup Robot" }).click();
  await expect(page.getByTitle("Warmup Robot").contentFrame().getByText("Scripts run, at /robot")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Automation" }).click();
  await field.fill("");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Addresses Saved")).toBeVisible();
});

test("Clipmill's own origin is never framed", async ({ page }) => {
  await injectSession(page, clipmill.url);
  await fulfillPages(page, { batchScheduler: `${clipmill.url}/settings`, warmupRobot: null });
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  await expect(page.getByText("This address points to Clipmill itself.")).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("a failure to load the address shows an error, and Try again recovers", async ({ page }) => {
  await injectSession(page, clipmill.url);
  const address = "**/functions/v1/embedded-pages";
  await page.route(address, (call) => call.fulfill({ status: 403, json: { error: "Not now." } }));
  await page.goto(`${clipmill.url}/bulk-scheduler`);
  await expect(page.getByRole("alert")).toContainText("Batch Scheduler couldn't be loaded");
  await expect(page.getByRole("alert")).toContainText("Not now.");
  await page.unroute(address);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByTitle("Batch Scheduler")).toBeVisible();
});

test("axe finds no issues in both themes, also on a phone", async ({ page }) => {
  await openDashboard(page, clipmill.url);
  for (const [route, text] of [
    ["/bulk-scheduler", "Nothing here?"],
    ["/warmup-automation", "not set up yet"],
  ] as const) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(clipmill.url + route);
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByText("Loading the page...")).toHaveCount(0);
      // The other site's content is not checked.
      await expectAccessible(page, route, { exclude: "iframe" });
      const overflows = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(overflows).toBe(false);
    }
  }
});

test("invalid addresses are named at startup, and Clipmill does not start", async () => {
  const { code, stderr } = await runClipmillToItsEnd(path.join(folder, "rejected"), {
    PORT: "18099",
    BATCH_SCHEDULER_URL: "http://localhost:18099/settings",
    WARMUP_ROBOT_URL: "not an address",
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain("WARMUP_ROBOT_URL: Invalid URL");
  expect(stderr).toContain("BATCH_SCHEDULER_URL: must not point to Clipmill itself");
});

function fulfillPages(
  page: Page,
  data: { batchScheduler: string | null; warmupRobot: string | null },
): Promise<unknown> {
  return page.route("**/functions/v1/embedded-pages", (call) => call.fulfill({ json: { data } }));
}

/** Reports that its scripts run, and tries to navigate the whole tab on request. */
async function startSite(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === "/rejects") response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html lang="en"><title>Board</title><p id="says"></p>
      <p>Came from ${request.headers.referer ?? "nowhere"}</p><button>Take over</button>
      <script>
        says.textContent = "Scripts run, at " + location.pathname + location.search;
        document.querySelector("button").onclick = () => {
          try { top.location.href = "/taken"; } catch { says.textContent = "The tab could not be led away"; }
        };
      </script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
