import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { pino } from "pino";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { startClipmill } from "#programs/start/start-clipmill.ts";
import { EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { copyInstallation } from "#tests/support/servers/installed-clipmill.ts";
import { environmentOnServers } from "#tests/support/servers/shared-servers.ts";
import { readConfig } from "../../../src/config.ts";

test("the sign-in page shows that Clipmill is starting, and signs in as soon as it is ready", async ({ page }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-starting-"));
  const dataDir = path.join(folder, "data");
  await copyInstallation(dataDir);
  const config = readConfig({
    PORT: String(await findFreePort()),
    REDIRECTOR_PORT: "0",
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    ...(await environmentOnServers(dataDir)),
  });
  const log = pino({ level: "silent" });
  const first = await startClipmill(config, findWebApp, log);
  await page.goto(first.url);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await first.stop();

  // The port opens while the web app is being prepared.
  const web = Promise.withResolvers<string>();
  const starting = startClipmill(config, () => web.promise, log);
  const readHealth = (): Promise<number> =>
    fetch(`${first.url}/health`).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(readHealth).toBe(200);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Clipmill is starting and will sign you in shortly.", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  const other = await page.context().newPage();
  await other.goto(`${first.url}/jobs`);
  await expect(other.getByRole("heading", { name: "Clipmill is starting" })).toBeVisible();

  web.resolve(await findWebApp());
  const clipmill = await starting;
  try {
    await expect(page.getByText("Recent Jobs")).toBeVisible();
    // A page opened too early reloads automatically.
    await expect(other.getByRole("heading", { name: "Clipmill is starting" })).toHaveCount(0);
  } finally {
    await clipmill.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
