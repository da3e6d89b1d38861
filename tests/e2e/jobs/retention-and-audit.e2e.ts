import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { EMAIL } from "#tests/support/servers/clipmill-process.ts";
import { cardOf, expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob } from "../../../dev/seed/seed-jobs.ts";

const DAY_MS = 86_400_000;

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await startSeededClipmill();
});
test.afterAll(async () => {
  await clipmill.stop();
});

/** Ended this many days ago, with one file. Returns the id. */
async function seedEnded(name: string, daysAgo: number, differences: Parameters<typeof seedJob>[1] = {}) {
  const endedAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const ended = { name, status: "Completed", progress: 100, created_at: endedAt, updated_at: endedAt } as const;
  const id = await seedJob(clipmill, { ...ended, ...differences });
  const link = "https://drive.google.com/file/d/abc/view";
  const status = "Completed";
  const { id: videoId } = await clipmill.db
    .insertInto("job_videos")
    .values({ job_id: id, position: 0, link, status, progress: 100 })
    .returning("id")
    .executeTakeFirstOrThrow();
  const made = { job_id: id, video_id: videoId, variant: 0, segment: 0, name: "1.mp4", status, progress: 100 } as const;
  const isGone = differences?.files_deleted_at != null;
  const storage_key = isGone ? null : `${id}/1.mp4`;
  await clipmill.db
    .insertInto("job_outputs")
    .values({ ...made, size_bytes: 6, crc32: 1, storage_key })
    .execute();
  return id;
}

/** The maximum length. */
const LONG_NAME = "A set with a name that is far too long for any column".padEnd(200, " and more");

const finishedFiles = (page: Page) => page.getByRole("form", { name: "Finished Files" });
const toasts = (page: Page) => page.getByRole("region", { name: "Notifications" });

test("cards show when files will be deleted, from three days before, and that they were; the download then disappears", async ({
  page,
}) => {
  const goneAt = new Date(Date.now() - 5 * DAY_MS).toISOString();
  await seedEnded("Fresh", 10);
  const soon = await seedEnded("Soon gone", 28.4);
  await seedEnded("Last hours", 29.6);
  const gone = await seedEnded("Long gone", 35, { files_deleted_at: goneAt });
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  await expect(cardOf(page, "Soon gone").getByText("Files will be deleted in 2 days")).toBeVisible();
  await expect(cardOf(page, "Last hours").getByText("Files will be deleted in 9 hours")).toBeVisible();
  await expect(cardOf(page, "Long gone").getByText("Files deleted")).toBeVisible();
  await expect(cardOf(page, "Fresh").getByText(/Files/)).toHaveCount(0);
  await expect(cardOf(page, "Soon gone").getByRole("button", { name: "Download zip" })).toBeVisible();
  await expect(cardOf(page, "Long gone").getByRole("button", { name: "Download zip" })).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`${clipmill.url}/jobs/${soon}`);
  await expect(page.getByText(/^The files of this job will be deleted on /)).toBeVisible();
  await expect(page.getByRole("button", { name: "Download zip" })).toBeEnabled();
  await page.goto(`${clipmill.url}/jobs/${gone}`);
  await expect(page.getByText(/^The files of this job were deleted on /)).toBeVisible();
  await expect(page.getByRole("button", { name: "Download zip" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Download 1.mp4" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("the retention period is saved and also applies to ended jobs", async ({ page }) => {
  await seedEnded("Kept for ever", 29);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings`);
  const form = finishedFiles(page);
  await expect(form.getByRole("textbox", { name: "Days" })).toHaveValue("30");
  await form.getByText("Forever").click();
  await expect(form.getByRole("textbox", { name: "Days" })).toHaveCount(0);
  await form.getByRole("button", { name: "Save retention period" }).click();
  await expect(toasts(page).getByText("Setting Saved")).toBeVisible();
  await page.goto(`${clipmill.url}/job-history`);
  await expect(cardOf(page, "Kept for ever")).toBeVisible();
  await expect(cardOf(page, "Kept for ever").getByText(/Files/)).toHaveCount(0);

  await page.goto(`${clipmill.url}/settings`);
  await expect(form.getByRole("radio", { name: "Forever" })).toBeChecked();
  await form.getByText("For a set number of days").click();
  await form.getByRole("textbox", { name: "Days" }).fill("99999");
  await form.getByRole("textbox", { name: "Days" }).blur();
  await expect(form.getByRole("textbox", { name: "Days" })).toHaveValue("3650");
  await form.getByRole("textbox", { name: "Days" }).fill("31");
  await page.route("**/functions/v1/settings", (route) => route.abort());
  await form.getByRole("button", { name: "Save retention period" }).click();
  await expect(page.getByRole("alert").getByText("Couldn't save how long to keep files")).toBeVisible();
  await expect(form.getByRole("textbox", { name: "Days" })).toHaveValue("31");
  await page.unroute("**/functions/v1/settings");
  await form.getByRole("button", { name: "Save retention period" }).click();
  await expect(toasts(page).getByText("Setting Saved")).toBeVisible();
  await page.getByRole("link", { name: "Job History" }).click();
  await expect(cardOf(page, "Kept for ever").getByText("Files will be deleted in 2 days")).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error) && !error.includes("ERR_FAILED"))).toEqual([]);
});

test("the audit log is readable, paginated, and loaded on request only", async ({ page }) => {
  const job = await seedJob(clipmill, { name: "Told of" });
  await clipmill.db.deleteFrom("audit_entries").execute();
  const email = EMAIL;
  await clipmill.db
    .insertInto("audit_entries")
    .values(
      Array.from({ length: 25 }, (_, i) => ({
        email,
        action: "account.sign-in",
        subject: null,
        account_id: null,
        created_at: new Date(Date.now() - (60 - i) * 60_000).toISOString(),
      })),
    )
    .execute();
  const act = (action: string, subject: string | null, subject_name: string | null = null) =>
    clipmill.db
      .insertInto("audit_entries")
      .values({ email, action, subject, subject_name, account_id: null })
      .execute();
  await act("caption_sets.delete", "7f3a91c2-0000-4000-8000-000000000000", LONG_NAME);
  await act("job.bump", job);
  await act("settings.save", "output_retention_days");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/functions/v1/audit")) asked.push(request.url());
  });
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/system`);
  const show = page.getByRole("button", { name: "Show audit log" });
  await expect(show).toBeVisible();
  expect(asked).toEqual([]);

  await page.route("**/functions/v1/audit*", (route) => route.abort());
  await show.click();
  await expect(page.getByText("Couldn't load the audit log")).toBeVisible({ timeout: 30_000 });
  await page.unroute("**/functions/v1/audit*");
  await page.getByRole("button", { name: "Try again" }).click();

  const table = page.getByRole("table", { name: "Audit log" });
  // The newest entry is this page's sign-in.
  await expect(table.getByRole("row")).toHaveCount(21);
  await expect(table.getByRole("row").nth(1)).toContainText("Signed in");
  await expect(table.getByRole("row").nth(2)).toContainText("Saved a setting");
  await expect(table.getByRole("row").nth(2)).toContainText("Days to keep files");
  await expect(table.getByRole("row").nth(3)).toContainText("Moved a job to the front");
  await expect(table.getByRole("row").nth(3)).toContainText(EMAIL);
  await expect(table.getByRole("row").nth(4)).toContainText("Deleted a caption set");
  await expect(table.getByRole("row").nth(4).getByText(LONG_NAME)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show older" }).click();
  await expect(table.getByRole("row")).toHaveCount(30);
  await expect(page.getByText("End of the audit log.")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await table.getByRole("link", { name: "Told of" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Told of" })).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error) && !error.includes("ERR_FAILED"))).toEqual([]);
});

test("an empty audit log shows a message", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/system`);
  await expect(page.getByRole("button", { name: "Show audit log" })).toBeVisible();
  await clipmill.db.deleteFrom("audit_entries").execute();
  await page.getByRole("button", { name: "Show audit log" }).click();
  await expect(page.getByText("No activity yet")).toBeVisible();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});
