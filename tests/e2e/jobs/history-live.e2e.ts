/** Jobs change under another filter, or under a search that only the server can run. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { createJob, signedInClient } from "#tests/support/servers/client.ts";
import { cardOf, openDashboard, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob } from "../../../dev/seed/seed-jobs.ts";

const VIDEO = "https://drive.google.com/file/d/1x8Qm4tB0vYfR2kLz7NcWpA9dHsJ3eUgT/view";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await startSeededClipmill();
  // The queue is paused, so jobs stay as written by the tests.
  const client = await signedInClient(clipmill.url);
  await client.functions.invoke("system", { body: { action: "pause-queue" } });
});
test.afterAll(async () => {
  await clipmill.stop();
});
test.beforeEach(async () => {
  await clipmill.db.deleteFrom("jobs").execute();
});

async function open(page: Page): Promise<string[]> {
  const errors = await openDashboard(page, clipmill.url);
  await page.getByRole("link", { name: "Job History" }).click();
  return errors;
}

async function chooseStatus(page: Page, status: string): Promise<void> {
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: status, exact: true }).click();
}

const search = (page: Page, text: string) => page.getByPlaceholder("Search jobs...").fill(text);

/** Leaves only cached lists visible. */
const stopLists = (page: Page) =>
  page.route("**/functions/v1/jobs", (route) =>
    route.request().postDataJSON()?.action === "list" ? route.abort() : route.fallback(),
  );

// spec 4.2.3, 4.2.4
test("a job that changes while another filter or a search is shown is updated in every list", async ({ page }) => {
  const id = await seedJob(clipmill, { name: "Harbor", minutesAgo: 1, status: "Processing", progress: 40 });
  await seedJob(clipmill, { name: "Gym", minutesAgo: 2, status: "Failed" });
  const errors = await open(page);
  await expect(cardOf(page, "Harbor")).toContainText("Processing");
  // The screen filters at once; the server's response, half a second later, is what stays cached.
  const searched = page.waitForResponse((response) => response.request().postDataJSON()?.search === "harbor");
  await search(page, "harbor");
  await expect(cardOf(page, "Gym")).toHaveCount(0);
  await searched;
  await search(page, "");
  await chooseStatus(page, "Processing");
  await expect(cardOf(page, "Gym")).toHaveCount(0);
  await expect(cardOf(page, "Harbor")).toBeVisible();
  await chooseStatus(page, "Failed");
  await expect(cardOf(page, "Gym")).toBeVisible();

  await clipmill.db.updateTable("jobs").set({ status: "Completed", progress: 100 }).where("id", "=", id).execute();
  await seedJob(clipmill, { name: "New elsewhere", status: "Failed" });
  // This job was created after the change, so the change has arrived as well.
  await expect(cardOf(page, "New elsewhere")).toBeVisible();
  await chooseStatus(page, "Processing");
  await expect(cardOf(page, "Harbor")).toHaveCount(0);
  await stopLists(page);
  await chooseStatus(page, "All Statuses");
  await expect(cardOf(page, "Harbor")).toContainText("Completed");
  await expect(cardOf(page, "New elsewhere")).toBeVisible();
  await search(page, "harbor");
  await expect(cardOf(page, "Gym")).toHaveCount(0);
  await expect(cardOf(page, "Harbor")).toContainText("Completed");
  expect(errors.filter((error) => !error.includes("Failed to load resource"))).toEqual([]);
});

test("a rerun during a caption search is listed first in the results", async ({ page }) => {
  await seedJob(clipmill, { name: "Morning", minutesAgo: 2, status: "Failed", custom_captions: ["Lantern light"] });
  await seedJob(clipmill, { name: "Evening", minutesAgo: 1, status: "Failed", custom_captions: ["Lanterns again"] });
  await seedJob(clipmill, { name: "Noon", minutesAgo: 3, status: "Failed" });
  const errors = await open(page);
  await expect(cardOf(page, "Noon")).toBeVisible();
  await search(page, "LANTERN");
  await expect(cardOf(page, "Noon")).toHaveCount(0);
  await cardOf(page, "Morning").getByRole("button", { name: "Rerun" }).click();
  await expect(page.getByText("Job Restarted")).toBeVisible();
  const names = page.getByRole("list", { name: "Jobs" }).getByRole("listitem").locator("p").getByRole("link");
  await expect(names).toHaveText(["Morning (Rerun)", "Evening", "Morning"]);
  expect(errors).toEqual([]);
});

// spec 4.2.3, 4.2.4
test("jobs created elsewhere join a search if the server matches them", async ({ page }) => {
  await seedJob(clipmill, { name: "Shown already", minutesAgo: 1, custom_captions: ["Lantern light"] });
  const errors = await open(page);
  await search(page, "lantern");
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  const client = await signedInClient(clipmill.url);
  const job = { input_videos: [VIDEO], captions_enabled: true };
  await createJob(client, { ...job, job_name: "Unrelated", custom_captions: ["Boats"] });
  await createJob(client, { ...job, job_name: "Found by its caption", custom_captions: ["A paper LANTERN"] });
  await expect(cardOf(page, "Found by its caption")).toBeVisible();
  await expect(cardOf(page, "Unrelated")).toHaveCount(0);
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

const setJob = (id: string, columns: object) =>
  clipmill.db.updateTable("jobs").set(columns).where("id", "=", id).execute();

// spec 4.2.3, 4.2.4
test("jobs join and leave the list of a status as they change, with the server's total", async ({ page }) => {
  const ids = await Promise.all(
    [1, 2, 3].map((minutesAgo) => seedJob(clipmill, { name: `Runs ${minutesAgo}`, minutesAgo, status: "Processing" })),
  );
  await seedJob(clipmill, { name: "Broken", minutesAgo: 4, status: "Failed" });
  const errors = await open(page);
  await chooseStatus(page, "Failed");
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  await setJob(ids[1]!, { status: "Failed" });
  await expect(cardOf(page, "Runs 2")).toBeVisible();
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();

  await chooseStatus(page, "Processing");
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();
  await setJob(ids[0]!, { status: "Completed" });
  await expect(cardOf(page, "Runs 1")).toHaveCount(0);
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

test("a card that leaves a list does not move the one under the pointer", async ({ page }) => {
  const ids = await Promise.all(
    [1, 2, 3].map((minutesAgo) => seedJob(clipmill, { name: `Runs ${minutesAgo}`, minutesAgo, status: "Processing" })),
  );
  await open(page);
  await chooseStatus(page, "Processing");
  const second = cardOf(page, "Runs 2");
  await second.hover();
  const before = await second.boundingBox();
  await setJob(ids[0]!, { status: "Completed" });
  await expect(cardOf(page, "Runs 1")).toHaveCount(0);
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();
  expect(await second.boundingBox()).toEqual(before);
  await page.getByRole("heading", { name: "Job History" }).hover();
  await expect.poll(async () => (await second.boundingBox())!.y).toBeLessThan(before!.y);
});

// spec 4.5.3
test("a rerun under a status filter is listed first", async ({ page }) => {
  await seedJob(clipmill, { name: "Newer", minutesAgo: 1, status: "Failed" });
  await seedJob(clipmill, { name: "Older", minutesAgo: 2, status: "Failed" });
  await open(page);
  await chooseStatus(page, "Failed");
  await cardOf(page, "Older").getByRole("button", { name: "Rerun" }).click();
  const names = page.getByRole("list", { name: "Jobs" }).getByRole("listitem").locator("p").getByRole("link");
  await expect(names).toHaveText(["Older (Rerun)", "Newer", "Older"]);
  await expect(cardOf(page, "Older (Rerun)")).toContainText("Queued");
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();
});

test("the first page is requested once", async ({ page }) => {
  await seedJob(clipmill, { name: "Harbor", minutesAgo: 1, status: "Failed" });
  const requests: string[] = [];
  page.on("request", (request) => {
    const body = request.url().endsWith("/functions/v1/jobs") ? request.postDataJSON() : null;
    if (body?.action === "list") requests.push(`${body.page} ${body.limit}`);
  });
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  await expect(cardOf(page, "Harbor")).toBeVisible();
  // Later than the subscription, which had caused a second request.
  await setJob((await clipmill.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow()).id, { job_name: "Pier" });
  await expect(cardOf(page, "Pier")).toBeVisible();
  expect(requests.filter((request) => request === "1 10")).toHaveLength(1);
});
