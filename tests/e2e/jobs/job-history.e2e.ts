/** SPEC sections 2, 4, 8 and 9, with a real server and jobs in every status. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { cardOf, expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob, seedManyJobs } from "../../../dev/seed/seed-jobs.ts";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});
test.beforeEach(async () => {
  await clipmill.db.deleteFrom("jobs").execute();
});

const seed = (differences: Parameters<typeof seedJob>[1]) => seedJob(clipmill, differences);

/** Returns a live array of console errors. */
async function open(page: Page, address = "/job-history"): Promise<string[]> {
  const errors = await signIn(page, clipmill.url);
  await page.goto(clipmill.url + address);
  await expect(page.getByRole("heading", { level: 1, name: "Job History" })).toBeVisible();
  return errors;
}

async function chooseFilter(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Acts as another operator. */
async function deleteElsewhere(id: string): Promise<void> {
  const other = await signedInClient(clipmill.url);
  const { error } = await other.functions.invoke("jobs", { body: { action: "delete", jobIds: [id] } });
  expect(error).toBeNull();
}

const isJobsCall = (url: URL) => url.pathname === "/functions/v1/jobs";

/** Fails list requests until the returned function is called. */
async function spoilLists(
  page: Page,
  response: { status: number; error: string } | "down",
): Promise<() => Promise<void>> {
  await page.route(isJobsCall, async (route) => {
    if (route.request().postDataJSON()?.action !== "list") return route.fallback();
    if (response === "down") return route.abort("connectionrefused");
    return route.fulfill({ status: response.status, json: { error: response.error } });
  });
  return () => page.unroute(isJobsCall);
}

// spec 2.8.1, 2.8.9
test("an empty history shows a message and a link to create the first job", async ({ page }) => {
  const errors = await open(page);
  await expect(page.getByText("No jobs found", { exact: true })).toBeVisible();
  await expect(page.getByText("Start processing videos to see your job history here.")).toBeVisible();
  await expect(page.getByText("Every job you start is listed here")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Start Processing" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/video-processing`);
  expect(errors).toEqual([]);
});

// spec 2.8.10, 9.17
test("five skeleton cards are shown while the jobs load", async ({ page }) => {
  await signIn(page, clipmill.url);
  const gate = Promise.withResolvers<void>();
  await page.route("**/functions/v1/jobs", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${clipmill.url}/job-history`);
  await expect(page.getByRole("list", { name: "Loading jobs" }).getByRole("listitem")).toHaveCount(5);
  gate.resolve();
  await expect(page.getByText("No jobs found", { exact: true })).toBeVisible();
});

// spec 2.8.1, 2.8.5, 2.8.6, 4.1.3, 4.1.4, 4.1.5, 4.5.1, 4.7.1, 8.12, 9.2, 9.3, 9.4
test("each card shows the details of its status", async ({ page }) => {
  await clipmill.db.deleteFrom("jobs").execute();
  await seed({ name: "Waiting second", minutesAgo: 1, status: "Queued" });
  await seed({ name: "Waiting first", minutesAgo: 2, status: "Queued" });
  const running = await seed({
    name: "Running",
    minutesAgo: 3,
    videos: 6,
    status: "Processing",
    progress: 58,
    current_video: 4,
    retry_count: 1,
  });
  await clipmill.db
    .insertInto("job_videos")
    .values({
      job_id: running,
      position: 1,
      link: "https://clipmill.local/file/d/x",
      status: "Failed",
      stage: null,
      name: null,
      error_message: "Gone.",
      duration_seconds: null,
      started_at: null,
      ended_at: null,
    })
    .execute();
  await seed({ name: "Begun", minutesAgo: 4, status: "Processing", progress: 0, current_video: null });
  await seed({ name: "Stopping", minutesAgo: 5, status: "Cancelling", progress: 48 });
  await seed({ name: "Broken", minutesAgo: 6, status: "Failed", error_message: "x".repeat(201) });
  await seed({
    name: "Partly",
    minutesAgo: 7,
    status: "Completed",
    progress: 100,
    error_message: "1 of 2 videos failed.",
  });
  const nameless = await seed({
    name: "",
    minutesAgo: 8,
    status: "Cancelled",
    progress: 38,
    error_message: "Job cancelled by user",
  });

  const errors = await open(page);
  await expect(page.getByText("8 jobs", { exact: true })).toBeVisible();
  await expect(cardOf(page, "Waiting first")).toContainText("Queued #1");
  await expect(cardOf(page, "Waiting first")).toContainText("--");
  // Every card shows elapsed time and progress, also on screens without columns for them.
  for (const width of [1440, 1000, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const dashes = cardOf(page, "Waiting first").getByText("--").filter({ visible: true });
    await expect(dashes).toHaveCount(1);
    // Tabular figures would render them as "- -".
    await expect(dashes).toHaveCSS("font-variant-numeric", "normal");
    await expect(cardOf(page, "Waiting first").getByText("0%").filter({ visible: true })).toHaveCount(1);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(cardOf(page, "Waiting second")).toContainText("Queued #2");

  // The summary shows audio mode and progress in every status, next to a strip or an error.
  for (const [name, percent] of [
    ["Running", "58%"],
    ["Begun", "3%"],
    ["Stopping", "48%"],
    ["Broken", "0%"],
    ["Partly", "100%"],
  ] as const) {
    await expect(cardOf(page, name).getByText(percent, { exact: true }).first()).toBeVisible();
    await expect(cardOf(page, name)).toContainText(/(Replace|Mix) audio/);
  }
  const strip = cardOf(page, "Running").getByRole("progressbar");
  await expect(cardOf(page, "Running")).toContainText("Retry 1/3");
  await expect(cardOf(page, "Running")).toContainText("4/6");
  // Two done, one failed, one running, two pending.
  await expect(strip.locator("> span")).toHaveCount(6);
  await expect(strip.locator("> .bg-failed")).toHaveCount(1);
  await expect(cardOf(page, "Begun").getByRole("progressbar")).toHaveAttribute("aria-valuenow", "3");
  await expect(cardOf(page, "Begun")).toContainText("3%");
  await expect(cardOf(page, "Stopping")).toContainText("Cancelling");
  await expect(cardOf(page, "Broken")).toContainText(`Error: ${"x".repeat(200)}...`);
  await expect(cardOf(page, "Broken")).not.toContainText("x".repeat(201));
  await expect(cardOf(page, "Partly")).toContainText("1 of 2 videos failed.");
  await expect(cardOf(page, `Job ${nameless.slice(0, 8)}`)).toContainText("38% · Job cancelled by user");
  // Rerun is visible but disabled while a job is queued or running.
  await expect(cardOf(page, "Running").getByRole("button", { name: "Rerun" })).toBeDisabled();
  await expect(cardOf(page, "Broken").getByRole("button", { name: "Rerun" })).toBeEnabled();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

// spec 2.8.12, 9.19
test("scrolling loads pages of ten, and the end of the list shows the total", async ({ page }) => {
  await seedManyJobs(clipmill, 45);
  const asked: string[] = [];
  page.on("request", (request) => {
    const body = request.url().endsWith("/functions/v1/jobs") ? request.postDataJSON() : null;
    if (body?.action === "list") asked.push(`${body.page} of ${body.limit}`);
  });
  const errors = await open(page);
  await expect(cardOf(page, "Batch 45")).toBeVisible();
  // Two pages do not fill the screen plus the 1000 px below it.
  await expect.poll(() => new Set(asked).size).toBeGreaterThanOrEqual(2);
  expect(asked[0]).toBe("1 of 10");
  expect(asked).not.toContain("5 of 10");
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page.getByText("You've reached the end of the results. Total: 45 jobs.")).toBeVisible({
      timeout: 1_000,
    });
    // The last page brings this text and makes the list longer than the scroll position.
    await expect(cardOf(page, "Batch 1")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // Once live updates are connected, one call reloads all pages so far.
  const pages = new Set(asked.filter((page) => page.endsWith(" of 10")));
  expect([...pages]).toEqual([1, 2, 3, 4, 5].map((number) => `${number} of 10`));
  expect(errors).toEqual([]);
});

// spec 2.8.11
test("a message shows that more jobs are loading, and a failed page can be retried", async ({ page }) => {
  await seedManyJobs(clipmill, 45);
  const errors = await open(page);
  await expect(cardOf(page, "Batch 45")).toBeVisible();
  const gate = Promise.withResolvers<void>();
  let isFailing = true;
  await page.route("**/functions/v1/jobs", async (route) => {
    if (Number(route.request().postDataJSON()?.page ?? 0) < 2) return route.fallback();
    await gate.promise;
    return isFailing ? route.fulfill({ status: 400, json: { error: "No." } }) : route.fallback();
  });
  await page.reload();
  await expect(page.getByText("Loading more jobs...")).toBeVisible();
  gate.resolve();
  await expect(page.getByRole("alert").getByText("Error loading jobs")).toBeVisible();
  isFailing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("Loading more jobs...")).toHaveCount(0);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

// spec 2.8.2, 2.8.3, 2.8.4, 2.8.8, 9.20
test("search waits 500 ms, starts at the first page, and is in the address with the filters", async ({ page }) => {
  await seed({ name: "Harbor one", minutesAgo: 1, status: "Completed", audio_enabled: true });
  await seed({ name: "Harbor two", minutesAgo: 2, status: "Failed", captions_enabled: false });
  await seed({ name: "Gym", minutesAgo: 3, status: "Completed" });
  await page.clock.install();
  const errors = await open(page);
  await expect(cardOf(page, "Gym")).toBeVisible();
  const searches: string[] = [];
  page.on("request", (request) => {
    const body = request.url().endsWith("/functions/v1/jobs") ? request.postDataJSON() : null;
    if (body?.search) searches.push(`${body.search} page ${body.page}`);
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  const box = page.getByPlaceholder("Search jobs...");
  await box.pressSequentially("harb");
  await page.clock.runFor(499);
  expect(searches).toEqual([]);
  await box.pressSequentially("or");
  await page.clock.runFor(499);
  expect(searches).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => searches[0]).toBe("harbor page 1");
  await page.clock.resume();
  await expect(cardOf(page, "Gym")).toHaveCount(0);
  await expect(cardOf(page, "Harbor one")).toBeVisible();

  await chooseFilter(page, "Status", "Failed");
  await expect(cardOf(page, "Harbor one")).toHaveCount(0);
  await expect(page).toHaveURL(`${clipmill.url}/job-history?search=harbor&status=Failed`);
  await chooseFilter(page, "Status", "All Statuses");
  await chooseFilter(page, "Type", "With Audio");
  await expect(cardOf(page, "Harbor two")).toHaveCount(0);
  await expect(page).toHaveURL(`${clipmill.url}/job-history?search=harbor&type=audio`);

  await page.reload();
  await expect(cardOf(page, "Harbor one")).toBeVisible();
  await expect(box).toHaveValue("harbor");
  await page.goBack();
  await expect(page).toHaveURL(`${clipmill.url}/job-history?search=harbor`);
  await expect(cardOf(page, "Harbor two")).toBeVisible();

  await box.fill("nothing like it");
  await expect(page.getByText("Try adjusting your filters to see more results.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(cardOf(page, "Gym")).toBeVisible();
  await expect(page).toHaveURL(`${clipmill.url}/job-history`);
  expect(errors).toEqual([]);
});

// spec 2.8.3, 2.8.4, 4.1.1
test("all statuses are offered, in SPEC's words and order", async ({ page }) => {
  await open(page);
  await page.getByRole("combobox", { name: "Status" }).click();
  await expect(page.getByRole("option")).toHaveText([
    "All Statuses",
    "Completed",
    "Processing",
    "Cancelling",
    "Failed",
    "Queued",
    "Cancelled",
  ]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Type" }).click();
  await expect(page.getByRole("option")).toHaveText(["All Types", "With Captions", "With Audio"]);
});

for (const [name, response] of [
  ["the server is down", "down"],
  ["the server breaks", { status: 500, error: "Something went wrong." }],
  ["the server rejects", { status: 400, error: "The page is not a number." }],
] as const) {
  // spec 8.1, 8.13
  test(`when ${name}, the list shows an error and can be retried`, async ({ page }) => {
    await seed({ name: "Here again", status: "Completed" });
    const errors = await signIn(page, clipmill.url);
    const heal = await spoilLists(page, response);
    await page.goto(`${clipmill.url}/job-history`);
    const toast = page.getByLabel("Notifications").getByRole("alert");
    await expect(toast).toContainText("Error loading jobs");
    await expect(toast).toContainText("Failed to fetch job history. Please try again.");
    await expect(page.getByRole("main").getByRole("alert")).toContainText("Failed to fetch job history.");
    await expectAccessible(page);
    await heal();
    await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
    await expect(cardOf(page, "Here again")).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
  });
}

test("offline, the history shows a message, and loads automatically once online", async ({ page, context }) => {
  await seed({ name: "After the tunnel", status: "Completed" });
  const errors = await open(page);
  await expect(cardOf(page, "After the tunnel")).toBeVisible();
  await context.setOffline(true);
  await page.getByPlaceholder("Search jobs...").fill("tunnel");
  await expect(page.getByText("You are offline")).toBeVisible();
  await context.setOffline(false);
  await expect(cardOf(page, "After the tunnel")).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

// spec 4.4.2, 4.4.4, 8.1, 8.14
test("a rejected or failed cancel restores the job's status and shows SPEC's texts", async ({ page }) => {
  await seed({ name: "Runs", status: "Processing", progress: 40, current_video: 1 });
  const errors = await open(page);
  const card = cardOf(page, "Runs");
  const toast = page.getByLabel("Notifications").getByRole("alert");
  const responses: [response: { status: number; json: unknown } | null, text: string][] = [
    [
      { status: 200, json: { success: false, error: "The job has already finished." } },
      "The job has already finished.",
    ],
    [{ status: 200, json: { success: false } }, "Failed to cancel the job. The VPS may not support cancellation yet."],
    [{ status: 500, json: { error: "Broken." } }, "Failed to cancel the job. Please try again."],
    [{ status: 404, json: { error: "Gone." } }, "Failed to cancel the job. Please try again."],
    [null, "Failed to cancel the job. Please try again."],
  ];
  for (const [response, text] of responses) {
    const gate = Promise.withResolvers<void>();
    await page.route("**/vps-integration/cancel", async (route) => {
      await gate.promise;
      return response ? route.fulfill(response) : route.abort("connectionrefused");
    });
    await card.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel job" }).click();
    await expect(card.getByText("Cancelling", { exact: true })).toBeVisible();
    gate.resolve();
    await expect(toast).toContainText("Error");
    await expect(toast).toContainText(text);
    await expect(card.getByText("Processing", { exact: true })).toBeVisible();
    await expect(card).toContainText("1/1");
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await page.unroute("**/vps-integration/cancel");
  }
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

// spec 8.1, 8.15
test("a failed rerun shows SPEC's texts and creates no job", async ({ page }) => {
  await seed({ name: "Once", status: "Completed" });
  const errors = await open(page);
  await page.route("**/rest/v1/jobs*", (route) => route.fulfill({ status: 500, json: { message: "Broken." } }));
  await cardOf(page, "Once").getByRole("button", { name: "Rerun" }).click();
  const toast = page.getByLabel("Notifications").getByRole("alert");
  await expect(toast).toContainText("Failed to Restart Job");
  await expect(toast).toContainText("There was an error restarting the job. Please try again.");
  expect(await clipmill.db.selectFrom("jobs").selectAll().execute()).toHaveLength(1);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("a job is deleted after confirmation, and the focus stays on the list", async ({ page }) => {
  await seed({ name: "Goes", minutesAgo: 1, status: "Completed" });
  await seed({ name: "Stays", minutesAgo: 2, status: "Processing", progress: 20, current_video: 1 });
  const errors = await open(page);
  await page.getByRole("button", { name: "More actions for Stays" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More actions for Stays" })).toBeFocused();

  await page.getByRole("button", { name: "More actions for Goes" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete this job?" });
  await expect(dialog).toContainText("and its files will be permanently deleted.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Keep job" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "More actions for Goes" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete job" }).click();
  await expect(cardOf(page, "Goes")).toHaveCount(0);
  await expect(page.getByText("Job deleted", { exact: true })).toBeVisible();
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("UL");
  expect(await clipmill.db.selectFrom("jobs").select("job_name").execute()).toEqual([{ job_name: "Stays" }]);
  expect(errors).toEqual([]);
});

test("jobs are selected individually, by range or all together, and changed together", async ({ page }) => {
  for (let index = 1; index <= 6; index += 1) {
    await seed({ name: `Job no. ${index}`, minutesAgo: index, status: index === 6 ? "Queued" : "Completed" });
  }
  const errors = await open(page);
  const box = (index: number) => page.getByRole("checkbox", { name: `Select Job no. ${index}` });
  const bar = page.getByRole("toolbar", { name: "Selected jobs" });
  await box(2).check();
  await box(4).click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("3 selected");
  for (const index of [2, 3, 4]) await expect(box(index)).toBeChecked();
  await page.getByRole("checkbox", { name: "Select all loaded jobs" }).check();
  await expect(bar).toContainText("6 selected");
  await expect(bar.getByRole("button", { name: "Cancel 1" })).toBeVisible();
  await expect(bar.getByRole("button", { name: "Delete 5" })).toBeVisible();
  await expect(bar.getByRole("button", { name: "Download" })).toHaveCount(0);
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toHaveCount(0);

  // Space and Shift+Space work the same.
  await box(1).focus();
  await page.keyboard.press("Space");
  await box(2).focus();
  await page.keyboard.press("Shift+Space");
  await expect(bar).toContainText("2 selected");

  await bar.getByRole("button", { name: "Rerun 2" }).click();
  await expect(page.getByText("2 jobs have been queued for processing.")).toBeVisible();
  await expect(cardOf(page, "Job no. 1 (Rerun)")).toBeVisible();
  await expect(cardOf(page, "Job no. 2 (Rerun)")).toBeVisible();

  // A job that ends while the dialog is open is not among the deleted.
  await page.getByRole("checkbox", { name: "Select Job no. 1 (Rerun)" }).check();
  await bar.getByRole("button", { name: "Delete 2" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 2 jobs?" });
  await expect(question).toBeVisible();
  await clipmill.db
    .updateTable("jobs")
    .set({ status: "Completed" })
    .where("job_name", "=", "Job no. 1 (Rerun)")
    .execute();
  const rerun = page.locator("main li").filter({ hasText: "Job no. 1 (Rerun)" });
  await expect(rerun.getByText("Completed", { exact: true })).toBeVisible();
  await question.getByRole("button", { name: "Delete 2 jobs" }).click();
  await expect(page.getByText("2 jobs deleted", { exact: true })).toBeVisible();
  await expect(cardOf(page, "Job no. 1")).toHaveCount(0);
  await expect(rerun).toBeVisible();
  await expect(bar).toHaveCount(0);

  await box(6).check();
  await bar.getByRole("button", { name: "Cancel 1" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel job" }).click();
  await expect(cardOf(page, "Job no. 6").getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(page.getByText("The job has been successfully cancelled.")).toBeVisible();
  expect(errors).toEqual([]);
});

// spec 4.2.3
test("the scroll position stays when new jobs arrive, and a pill leads to them", async ({ page }) => {
  await seedManyJobs(clipmill, 60);
  const errors = await open(page);
  await expect(cardOf(page, "Batch 60")).toBeVisible();
  const read = cardOf(page, "Batch 40");
  await expect(async () => {
    await page.mouse.wheel(0, 300);
    await expect(read).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  const before = (await read.boundingBox())!.y;
  await seed({ name: "New one", status: "Completed" });
  await seed({ name: "New two", status: "Completed" });
  const pill = page.getByRole("button", { name: "2 new jobs" });
  await expect(pill).toBeVisible();
  expect((await read.boundingBox())!.y).toBe(before);
  await expect(page.getByText("62 jobs", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await pill.click();
  await expect(cardOf(page, "New two")).toBeInViewport();
  await expect(cardOf(page, "New one")).toBeInViewport();
  await expect(pill).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("long, right-to-left and emoji names fit at 1440 px, on a phone and at 400 % zoom", async ({ page }) => {
  const names = [
    "W".repeat(200),
    "مرحبا بالعالم ".repeat(12).trim(),
    "👩‍👩‍👧‍👦🎬 Launch 🚀".repeat(8),
    "a ".repeat(99).trim(),
  ];
  for (const [index, name] of names.entries()) {
    await seed({ name, minutesAgo: index, status: "Failed", error_message: "https://example.com/".repeat(30) });
  }
  const errors = await open(page);
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(cardOf(page, names[0]!)).toBeVisible();
    await expectNoOverflow(page);
  }
  await page.getByRole("button", { name: /^Actions for W/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectNoOverflow(page);
  await page.getByRole("button", { name: "Keep job" }).click();
  expect(errors).toEqual([]);
});

test("on a phone, a job is selected from its menu, and its card then shows a checkbox", async ({ page }) => {
  await seed({ name: "Held in a hand", status: "Completed" });
  await page.setViewportSize({ width: 390, height: 844 });
  const errors = await open(page);
  await expect(page.getByRole("checkbox", { name: "Select Held in a hand" })).toBeHidden();
  await page.getByRole("button", { name: "Actions for Held in a hand" }).click();
  await page.getByRole("menuitem", { name: "Select" }).click();
  await expect(page.getByRole("checkbox", { name: "Select Held in a hand" })).toBeChecked();
  await expect(page.getByRole("toolbar", { name: "Selected jobs" })).toContainText("1 selected");
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(errors).toEqual([]);
});

test("a list read before a deletion and received after it does not bring the job back", async ({ page }) => {
  const id = await seed({ name: "Deleted elsewhere", minutesAgo: 1, status: "Failed" });
  await seed({ name: "Remains", minutesAgo: 2 });
  const subscribing = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/realtime\//, async (socket) => {
    await subscribing.promise;
    socket.connectToServer();
  });
  await open(page);
  await expect(cardOf(page, "Deleted elsewhere")).toBeVisible();

  // The list is read again with the subscription: this response is held back.
  const held = Promise.withResolvers<void>();
  let reads = 0;
  await page.route(isJobsCall, async (route) => {
    if (route.request().postDataJSON()?.action !== "list") return route.fallback();
    const response = await route.fetch();
    reads += 1;
    if (reads === 1) await held.promise;
    return route.fulfill({ response });
  });
  subscribing.resolve();
  await expect.poll(() => reads).toBe(1);
  await deleteElsewhere(id);
  await expect(cardOf(page, "Deleted elsewhere")).toHaveCount(0);
  held.resolve();
  await expect.poll(() => reads).toBeGreaterThan(1);
  await expect(cardOf(page, "Deleted elsewhere")).toHaveCount(0);
  await expect(cardOf(page, "Remains")).toBeVisible();
});

test("Duplicate opens the job screen with the job's settings", async ({ page }) => {
  await seed({ name: "To be varied", status: "Completed" });
  await open(page);
  await page.getByRole("button", { name: "More actions for To be varied" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page).toHaveURL(new RegExp("/video-processing"));
  await expect(page.getByLabel("Job name")).toHaveValue("To be varied");
});

// spec 4.2.3, 4.2.5
test("jobs deleted or created by another operator disappear or appear without a reload, respecting filters", async ({
  page,
}) => {
  const id = await seed({ name: "Deleted elsewhere", minutesAgo: 1, status: "Failed" });
  await seed({ name: "Remains", minutesAgo: 2, status: "Failed" });
  const errors = await open(page, "/job-history?status=Failed");
  await expect(cardOf(page, "Deleted elsewhere")).toBeVisible();
  await deleteElsewhere(id);
  await expect(cardOf(page, "Deleted elsewhere")).toHaveCount(0);
  await seed({ name: "Another status", status: "Completed" });
  await seed({ name: "Same status", status: "Failed" });
  await expect(cardOf(page, "Same status")).toBeVisible();
  await expect(cardOf(page, "Another status")).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a row opens its job wherever it is clicked, and by keyboard each of its actions is reached in order", async ({
  page,
}) => {
  const id = await seedJob(clipmill.context, { name: "Opened", status: "Queued" });
  const errors = await open(page);
  const row = cardOf(page, "Opened");
  const box = (await row.boundingBox())!;
  // Between the columns, and on the date.
  for (const place of [() => page.mouse.click(box.x + box.width / 2, box.y + 4), () => row.getByRole("time").click()]) {
    await place();
    await expect(page).toHaveURL(`${clipmill.url}/jobs/${id}`);
    await page.goBack();
    await expect(row).toBeVisible();
  }
  await row.getByRole("checkbox").check();
  await row.getByRole("checkbox").focus();
  for (const name of ["Opened", "Cancel", "More actions for Opened"]) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(name);
  }
  await expect(page).toHaveURL(/job-history/);
  await row.getByRole("link", { name: "Opened", exact: true }).press("Enter");
  await expect(page).toHaveURL(`${clipmill.url}/jobs/${id}`);
  expect(errors).toEqual([]);
});
