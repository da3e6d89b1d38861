import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { passTime } from "#tests/support/watch-folder.ts";

let server: TestServer;
let errors: string[];

test.beforeAll(async () => {
  server = await startTestServer(copyWebApp);
  await server.client
    .from("presets")
    .insert({ name: "Shorts", settings: { variants_per_video: 2 } })
    .throwOnError();
});
test.afterAll(() => server.close());
test.beforeEach(async ({ page }) => {
  errors = await signIn(page, server.url);
  await page.goto(`${server.url}/watch-folders`);
});

const row = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: name });

// spec 2.18.1, 2.18.2, 2.18.3, 2.18.4
test("new files of a folder become jobs, and others say why not", async ({ page }) => {
  await expect(page.getByText("No watch folders yet")).toBeVisible();
  await page.getByRole("button", { name: "Add watch folder" }).click();
  const sheet = page.getByRole("dialog", { name: "New watch folder" });
  await sheet.getByRole("button", { name: "Add watch folder" }).click();
  await expect(sheet.getByText("Choose a preset.")).toBeVisible();
  await sheet.getByRole("button", { name: "New preset" }).click();
  const made = page.getByRole("dialog", { name: "New preset" });
  await made.getByLabel("Preset name").fill("Camera clips");
  await made.getByRole("button", { name: "Create preset" }).click();
  await expect(made).toHaveCount(0);
  await expect(sheet.getByRole("combobox", { name: "Preset" })).toHaveText("Camera clips");
  await sheet.getByRole("combobox", { name: "Preset" }).click();
  await page.getByRole("option", { name: "Shorts" }).click();
  await sheet.getByLabel("Name", { exact: true }).fill("Camera");
  await sheet.getByLabel("Folder name").fill("../up");
  await expectAccessible(page, "a new watch folder");
  await sheet.getByRole("button", { name: "Add watch folder" }).click();
  await expect(sheet.getByText("The name of a local folder can contain only letters")).toBeVisible();
  await sheet.getByLabel("Folder name").fill("camera");
  await sheet.getByRole("button", { name: "Add watch folder" }).dblclick();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("listitem")).toContainText("Watching");
  await expect.poll(() => checks()).toBe(1);

  const camera = path.join(server.folder, "watch/camera");
  await makeClip(path.join(camera, "beach.mp4"), { width: 180, height: 320, seconds: 1 });
  await writeFile(path.join(camera, "notes.txt"), "no video");
  await mkdir(path.join(camera, "folder"));
  await page.getByRole("link", { name: "Camera" }).click();
  await check();
  await expect(row(page, "notes.txt")).toContainText("Not a video.");
  await expect(row(page, "beach.mp4")).toContainText("Waiting");
  await expectAccessible(page, "files of a watch folder");
  await check();
  await expect(row(page, "beach.mp4")).toContainText("In a job");
  await page.getByRole("tab", { name: /^Skipped/ }).click();
  await expect(row(page, "beach.mp4")).toHaveCount(0);
  await page.reload();
  await expect(row(page, "notes.txt")).toBeVisible();
  await page.getByRole("tab", { name: /^In a job/ }).click();

  await row(page, "beach.mp4").getByRole("button", { name: "Run beach.mp4 again" }).dblclick();
  await expect(page.getByText("will become a job at the next check")).toBeVisible();
  await expect.poll(async () => (await server.context.db.selectFrom("jobs").select("id").execute()).length).toBe(1);
  await check();
  await expect.poll(async () => (await server.context.db.selectFrom("jobs").select("id").execute()).length).toBe(2);
  await row(page, "beach.mp4").getByRole("link").click();
  await expect(page).toHaveURL(/\/jobs\//);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Camera");

  await server.client.from("presets").delete().eq("name", "Shorts").throwOnError();
  await page.goto(`${server.url}/watch-folders`);
  await makeClip(path.join(camera, "more.mp4"), { width: 180, height: 320, seconds: 1, toneHz: 880 });
  await check();
  await check();
  await expect(page.getByText("Paused: Its preset was deleted. Choose another one.")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page, "watch folders on a phone");
  await page.getByRole("link", { name: "Camera" }).click();
  await expect(row(page, "more.mp4")).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page, "files of a watch folder on a phone");
  await page.getByRole("button", { name: "Actions for Camera" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove watch folder" }).click();
  await expect(page.getByText("No watch folders yet")).toBeVisible();
  // The name that the server rejected.
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

async function checks(): Promise<number> {
  const found = sql<{
    count: number;
  }>`select count(*)::int as count from watch_folders where last_check_at is not null`;
  return (await found.execute(server.context.db)).rows[0]!.count;
}

/** Waits for the check a minute later; one in progress has not seen that minute. */
async function check(): Promise<void> {
  await expect.poll(letMinutePass).toBe(true);
  await expect.poll(checks).toBe(1);
}

/** Returns false during a check. */
function letMinutePass(): Promise<boolean> {
  return server.context.db.transaction().execute(async (trx) => {
    const idle = sql`update watch_folders set last_check_at = null where next_check_at < '9999-01-01T00:00:00Z'`;
    if ((await idle.execute(trx)).numAffectedRows === 0n) return false;
    await passTime({ db: trx });
    return true;
  });
}
