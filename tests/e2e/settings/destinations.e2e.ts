import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { openJobScreen } from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test("a destination added over the job form is selected, and the form keeps its text", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Kept");
  await page.getByRole("button", { name: /Advanced Options/ }).click();
  const files = page.getByRole("group", { name: "Deliver to" });
  await expect(files.getByText("Files stay on this server.")).toBeVisible();
  await files.getByRole("button", { name: "New destination" }).click();
  const sheet = page.getByRole("dialog", { name: "New destination" });
  await sheet.getByLabel("Name", { exact: true }).fill("Over the form");
  await page.keyboard.press("Enter");
  await expect(sheet).toHaveCount(0);
  await expect(files.getByRole("checkbox", { name: "Over the form" })).toBeChecked();
  await expect(files.getByRole("button", { name: "New destination" })).toBeFocused();
  await expect(page.getByLabel("Job name")).toHaveValue("Kept");
  await expect(page).toHaveURL(`${clipmill.url}/video-processing`);
  await page.reload();
  await expect(page.getByLabel("Job name")).toHaveValue("Kept");
  await clipmill.db.deleteFrom("destinations").execute();
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

const section = (page: Page): Locator => page.getByRole("region", { name: "Destinations" });

test("a folder is added and tested, and gets a job's files, also on a retry", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/sources`);
  await section(page).getByRole("button", { name: "New destination" }).click();
  const sheet = page.getByRole("dialog", { name: "New destination" });
  await expect(sheet.getByLabel("Name", { exact: true })).toHaveValue("Folder");
  await sheet.getByLabel("Name", { exact: true }).fill("");
  await sheet.getByRole("button", { name: "Add destination" }).click();
  await expect(sheet.getByText("Enter a name.")).toBeVisible();
  await sheet.getByLabel("Name", { exact: true }).fill("Archive");
  await sheet.getByRole("button", { name: "Test destination" }).click();
  await expect(sheet.getByText("Clipmill can write to this destination.")).toBeVisible();
  await expectAccessible(page, "a new destination");
  await sheet.getByRole("button", { name: "Add destination" }).click();
  await expect(sheet).toHaveCount(0);
  const row = section(page).getByRole("listitem").filter({ hasText: "Archive" });
  await expect(row.getByText("Folder deliveries/{job}")).toBeVisible();

  await openJobScreen(page, clipmill.url);
  await page
    .getByRole("button", { name: /Advanced|More/ })
    .first()
    .click()
    .catch(() => {});
  await expect(page.getByRole("checkbox", { name: "Archive" })).toBeVisible();

  const destination = await clipmill.db.selectFrom("destinations").select("id").executeTakeFirstOrThrow();
  const root = clipmill.context.deliveryFolders["deliveries"]!;
  await mkdir(root, { recursive: true });
  // A file is where the folder should be.
  await writeFile(path.join(root, "A job"), "in the way");
  const settings = { destinations: [destination.id] };
  const job = await completeJob(clipmill.context, clipmill.folder, { settings, sizes: [1_000, 2_000] });
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  const panel = page.getByRole("region", { name: "Deliveries" });
  await expect(panel.getByText("0 of 2 delivered")).toBeVisible();
  await panel.getByRole("button", { name: "Files: Archive" }).click();
  const files = panel.getByRole("list", { name: "Files delivered to Archive" });
  await expect(files.getByRole("listitem")).toHaveText([/001-v1-clip.mp4.*Waiting/, /001-v2-clip.mp4.*Waiting/]);
  await rm(path.join(root, "A job"));
  await panel.getByRole("button", { name: "Retry the delivery to Archive" }).click();
  await expect(panel.getByText("2 files delivered")).toBeVisible();
  await expect(files.getByRole("listitem")).toHaveText([
    /001-v1-clip.mp4.*Delivered/,
    /001-v2-clip.mp4.*Delivered/,
    /manifest.csv.*Delivered/,
    /manifest.json.*Delivered/,
  ]);
  await expectAccessible(page, "deliveries of a job");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});
