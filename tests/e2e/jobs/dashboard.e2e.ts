/** SPEC sections 2, 4, 8 and 9, with a real server. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { captionsOf, expectVideos, startOf } from "#tests/support/browser/job-screen.ts";
import { cardOf, expectNoOverflow, isResponseError, openDashboard } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob } from "../../../dev/seed/seed-jobs.ts";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});
test.beforeEach(async () => {
  await clipmill.db.deleteFrom("jobs").execute();
  await clipmill.db.deleteFrom("caption_sets").execute();
  await clipmill.db.deleteFrom("audio_sets").execute();
});

const seed = (differences: Parameters<typeof seedJob>[1]) => seedJob(clipmill, differences);
const nameOf = (url: string) => /\/functions\/v1\/(jobs(?=\?action=dashboard)|caption-sets|audio-sets)/.exec(url)?.[1];
const stat = (page: Page, label: string) => page.getByText(label, { exact: true }).locator("..");

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByText("No jobs yet")).toBeVisible();
  await expect(page.getByRole("link", { name: /Saved Caption Sets/ })).toContainText("00 captions");
  await expect(page.getByRole("link", { name: /Saved Audio Sets/ })).toContainText("00 tracks");
}

// spec 2.3.1, 2.3.6
test("an empty dashboard shows a welcome, zero counts, and a link to create the first job", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Welcome to Clipmill");
  await expect(main.getByRole("link", { name: "Create New Job" })).toHaveAttribute("href", "/video-processing");
  await expect(main.getByText("No jobs yet")).toBeVisible();
  await expect(main.getByText("Start by processing your first video batch")).toBeVisible();
  await expect(stat(page, "Videos Processed Today")).toContainText("0from 0 jobs");
  await expect(stat(page, "Active Jobs")).toContainText("0none processing or queued");
  await expectAccessible(page);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
  }
  await main.getByRole("link", { name: "Start Processing" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/video-processing`);
  expect(errors).toEqual([]);
});

test("the welcome offers sample clips, which fill the form, until there is a job or it is dismissed", async ({
  page,
}) => {
  const errors = await openDashboard(page, clipmill.url);
  const welcome = page.getByRole("heading", { name: "Welcome to Clipmill" });
  const samples = page.getByRole("link", { name: "Try sample clips" });
  await samples.click();
  await expectVideos(page, 4);
  await expect(captionsOf(page)).toHaveValue(/^POV: .*\n/);
  await expect(startOf(page)).toBeEnabled();
  await expect(page).toHaveURL(`${clipmill.url}/video-processing`);
  await page.goBack();
  await expect(welcome).toBeVisible();
  await seed({ name: "The first job", status: "Completed" });
  await expect(page.getByText("The first job")).toBeVisible();
  await expect(welcome).toHaveCount(0);
  await expect(samples).toHaveCount(0);

  await clipmill.db.deleteFrom("jobs").execute();
  await page.reload();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome back");
  await page.reload();
  await expect(page.getByText("No jobs yet")).toBeVisible();
  await expect(samples).toHaveCount(0);
  expect(errors).toEqual([]);
});

// spec 2.3.2, 2.3.3, 2.3.4, 7.20
test("the four stat cards count today's videos, active jobs and saved sets, each with a description", async ({
  page,
}) => {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  await seed({ videos: 3, status: "Completed" });
  await seed({ videos: 4, status: "Processing", current_video: 1 });
  await seed({ videos: 1, status: "Queued" });
  await seed({ videos: 9, status: "Cancelling", created_at: new Date(midnight.getTime() - 1_000).toISOString() });
  await clipmill.db
    .insertInto("caption_sets")
    .values({ name: "Hooks", captions: ["a", "b", "c"] })
    .execute();
  await clipmill.db
    .insertInto("audio_sets")
    .values({ name: "Drums", audio_links: ["https://drive.google.com/file/d/abc/view"] })
    .execute();
  const errors = await openDashboard(page, clipmill.url);
  await expect(stat(page, "Videos Processed Today")).toContainText("8from 3 jobs");
  await expect(stat(page, "Active Jobs")).toContainText("31 processing1 queued1 cancelling");
  await expect(page.getByRole("link", { name: /Saved Caption Sets/ })).toContainText("13 captions");
  await expect(page.getByRole("link", { name: /Saved Audio Sets/ })).toContainText("11 track");
  await page.getByRole("link", { name: /Saved Caption Sets/ }).click();
  await expect(page).toHaveURL(`${clipmill.url}/caption-sets`);
  await page.goBack();
  await page.getByRole("link", { name: /Saved Audio Sets/ }).click();
  await expect(page).toHaveURL(`${clipmill.url}/audio-sets`);
  expect(errors).toEqual([]);
});

// spec 7.20
test("the dashboard loads with three parallel calls, each made once", async ({ page }) => {
  await openDashboard(page, clipmill.url);
  // Wait for the calls of the page opened by sign-in.
  await expectLoaded(page);
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route("**/functions/v1/*", async (route) => {
    const name = nameOf(route.request().url());
    if (name) {
      events.push(name);
      // Responses are held until all three calls are in flight.
      if (events.length === 3) gate.resolve();
      await gate.promise;
    }
    await route.continue();
  });
  const joined = page.waitForEvent("websocket").then((socket) =>
    socket.waitForEvent("framereceived", {
      predicate: ({ payload }) => String(payload).includes("Subscribed to PostgreSQL"),
    }),
  );
  await page.reload();
  await joined;
  await expectLoaded(page);
  await page.waitForLoadState("networkidle");
  expect(events.toSorted()).toEqual(["audio-sets", "caption-sets", "jobs"]);
});

// spec 2.3.5, 2.3.7, 2.3.10, 2.3.11, 4.1.3, 4.1.5, 8.12, 9.1, 9.2, 9.3, 9.4
test("the five newest jobs are listed, each with the details of its status", async ({ page }) => {
  await seed({ name: "The sixth", minutesAgo: 6, status: "Completed" });
  await seed({ name: "Broken", minutesAgo: 5, status: "Failed", error_message: `${"x".repeat(100)}y` });
  const nameless = await seed({
    name: "",
    minutesAgo: 4,
    videos: 1,
    status: "Cancelled",
    error_message: "Job cancelled by user",
  });
  await seed({ name: "Counting", minutesAgo: 3, videos: 40, status: "Processing", progress: 31, current_video: 13 });
  await seed({ name: "No counts", minutesAgo: 2, status: "Processing", progress: 0 });
  await seed({ name: "Waiting", minutesAgo: 1, videos: 2, status: "Queued" });
  const errors = await openDashboard(page, clipmill.url);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(5);
  await expect(page.getByText("The sixth")).toHaveCount(0);
  await expect(cardOf(page, "Broken")).toContainText(`Error: ${"x".repeat(100)}...`);
  await expect(cardOf(page, "Broken")).not.toContainText("y");
  await expect(cardOf(page, `Job ${nameless.slice(0, 8)}`)).toContainText("1 video");
  await expect(cardOf(page, "Counting")).toContainText("13/40");
  await expect(cardOf(page, "Counting")).toContainText("40 videos");
  await expect(cardOf(page, "No counts")).toContainText("3%");
  await expect(cardOf(page, "No counts").getByRole("progressbar")).toHaveAttribute("aria-valuenow", "3");
  await expect(cardOf(page, "Waiting")).toContainText("Queued #1");
  await expect(cardOf(page, "Waiting").getByRole("time")).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d$/);
  await expectAccessible(page);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
  }
  await page.getByRole("link", { name: "View All" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/job-history`);
  expect(errors).toEqual([]);
});

// spec 2.3.12, 4.2.1, 4.2.2, 9.1
test("a new job is listed first and the list keeps five; an update replaces the job's old version", async ({
  page,
}) => {
  for (let index = 1; index <= 5; index += 1) await seed({ name: `Job ${index}`, minutesAgo: index, status: "Queued" });
  const errors = await openDashboard(page, clipmill.url);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(cardOf(page, "Job 5")).toBeVisible();
  await seed({ name: "The newest", status: "Queued" });
  await expect(rows.first()).toContainText("The newest");
  await expect(rows).toHaveCount(5);
  await expect(cardOf(page, "Job 5")).toHaveCount(0);
  await expect(stat(page, "Active Jobs")).toContainText("6 queued");
  await clipmill.db
    .updateTable("jobs")
    .set({ status: "Processing", progress: 50, current_video: 1, updated_at: new Date().toISOString() })
    .where("job_name", "=", "Job 3")
    .execute();
  await expect(cardOf(page, "Job 3").getByText("Processing", { exact: true })).toBeVisible();
  await expect(rows.nth(3)).toContainText("Job 3");
  await expect(stat(page, "Active Jobs")).toContainText("1 processing5 queued");
  expect(errors).toEqual([]);
});

for (const [name, fulfilled] of [
  ["the server is down", null],
  ["the server breaks", { status: 500, json: { error: "Broken." } }],
  ["the server rejects", { status: 400, json: { error: "No." } }],
] as const) {
  // spec 8.11
  test(`when ${name}, the failure is logged and the dashboard shows empty`, async ({ page }) => {
    await seed({ name: "Unseen", status: "Completed" });
    await page.route("**/functions/v1/jobs?action=dashboard*", (route) =>
      fulfilled ? route.fulfill(fulfilled) : route.abort("connectionrefused"),
    );
    const errors = await openDashboard(page, clipmill.url);
    await expect(page.getByText("No jobs yet")).toBeVisible();
    await expect(stat(page, "Active Jobs")).toContainText("0");
    const own = errors.filter((error) => !isResponseError(error));
    expect(own.length).toBeGreaterThan(0);
    for (const error of own) expect(error).toContain("Failed to load dashboard data");
    await expectAccessible(page);
  });
}

test("placeholders keep the layout while the figures load", async ({ page }) => {
  const gate = Promise.withResolvers<void>();
  await page.route("**/functions/v1/jobs?action=dashboard*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await seed({ name: "Late", status: "Completed" });
  const errors = await openDashboard(page, clipmill.url);
  await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(2);
  gate.resolve();
  await expect(cardOf(page, "Late")).toBeVisible();
  await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("offline, the dashboard shows a message, and loads automatically once online", async ({ page, context }) => {
  await seed({ name: "After the tunnel", status: "Completed" });
  // Leaving the dashboard while it loads the code for live updates would be an error of its own.
  const live = page.waitForEvent("websocket");
  const errors = await openDashboard(page, clipmill.url);
  await live;
  await page.goto(`${clipmill.url}/settings`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Wait until the screen's code is prefetched.
  await page.waitForLoadState("networkidle");
  await page.getByRole("complementary").getByRole("link", { name: "Dashboard" }).hover();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("complementary").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("You are offline")).toBeVisible();
  await context.setOffline(false);
  await expect(cardOf(page, "After the tunnel")).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("today's count starts again at midnight while the page is open", async ({ page }) => {
  await seed({ name: "Of today", videos: 7, status: "Completed" });
  const midnight = new Date();
  midnight.setHours(24, 0, 0, 0);
  await page.clock.install({ time: midnight.getTime() - 60_000 });
  await openDashboard(page, clipmill.url);
  await expect(stat(page, "Videos Processed Today")).toContainText("7from 1 job");
  await page.clock.fastForward("01:05");
  await expect(stat(page, "Videos Processed Today")).toContainText("0from 0 jobs");
});
