import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { openJobScreen, startOf, toastOf, writeVideoLinks } from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let twin: ClipTwin;
let clipmill: SeededClipmill;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  clipmill = await startSeededClipmill(twin.environment);
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

// spec 2.4.11
test("a running job's card survives navigation and a reload, and can cancel the job", async ({ page }) => {
  await start(page, "Found again");
  await expect(cardOf(page)).toContainText("Processing video 1/1...");
  await page.getByRole("link", { name: "Caption Sets" }).click();
  await expect(page.getByRole("heading", { name: "Caption Sets" })).toBeVisible();
  await page.getByRole("link", { name: "Create Jobs" }).click();
  await expect(cardOf(page)).toContainText("Processing video 1/1...");
  const held = Promise.withResolvers<void>();
  await page.route(/\/rest\/v1\/jobs\?/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await expect(startOf(page)).toBeVisible();
  await expect(cardOf(page)).toHaveCount(0);
  const place = await startOf(page).boundingBox();
  held.resolve();
  await expect(cardOf(page)).toContainText("Found again");
  // A button that moves between press and release misses the click.
  expect(await startOf(page).boundingBox()).toEqual(place);
  await expectAccessible(page);

  await cardOf(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep running" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await cardOf(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel job" }).click();
  await expect(toastOf(page, "Job cancelled")).toBeVisible();
  await expect(cardOf(page)).toContainText("Job cancelled by user");
  await expect(cardOf(page).getByRole("button", { name: "Cancel" })).toHaveCount(0);
  await cardOf(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(cardOf(page)).toHaveCount(0);
  await openJobScreen(page, clipmill.url);
  await expect(cardOf(page)).toHaveCount(0);
});

test("on a phone, a job that completed in the meantime is shown as done, with a download", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await start(page, "Done meanwhile");
  await expect(cardOf(page).getByRole("button", { name: "Cancel" })).toBeInViewport({ ratio: 1 });
  await page.goto(clipmill.url);
  twin.release("done-meanwhile");
  await expect.poll(() => hasEnded(client, id), { timeout: 60_000 }).toBe(true);
  await openJobScreen(page, clipmill.url);
  await expect(cardOf(page)).toContainText("Processing completed!");
  // No toast for a job that ended before the screen opened.
  await expect(toastOf(page, "Processing Complete!")).toHaveCount(0);
  await expectNoOverflow(page);
  await expect(startOf(page)).toBeInViewport({ ratio: 1 });
  const download = page.waitForEvent("download");
  await cardOf(page).getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
});

test("the completion toast downloads the files, and the card of a deleted job does not return", async ({ page }) => {
  const id = await start(page, "Told and gone");
  twin.release("told-and-gone");
  const download = page.waitForEvent("download");
  await toastOf(page, "Processing Complete!").getByRole("button", { name: "Download" }).click({ timeout: 60_000 });
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  // Another tab finds the newest job as well.
  const other = await page.context().newPage();
  await openJobScreen(other, clipmill.url);
  await expect(cardOf(other)).toContainText("Told and gone");
  await client.functions.invoke("jobs", { body: { action: "delete", jobIds: [id] } });
  await other.reload();
  await expect(other.getByLabel("Job name")).toBeVisible();
  await expect(cardOf(other)).toHaveCount(0);
  // The card is also missing before the response; the response removes the stored key.
  await expect
    .poll(() => other.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("started-job"))))
    .toEqual([]);
  await expect(cardOf(other)).toHaveCount(0);
});

const cardOf = (page: Page): Locator => page.getByRole("region", { name: "Progress" });

/** Gates the job's video under the job's name in kebab case. Returns the job's id. */
async function start(page: Page, name: string): Promise<string> {
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill(name);
  await writeVideoLinks(page, twin.addClip(name.toLowerCase().replaceAll(" ", "-"), { kind: "gated" }));
  await startOf(page).click();
  await expect(cardOf(page)).toContainText(name);
  await expect(toastOf(page, "Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id").eq("job_name", name).single();
  return (data as { id: string }).id;
}
