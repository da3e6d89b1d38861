import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import { countDrawnCards } from "#tests/support/browser/count-renders.ts";
import { openCuttableLine } from "#tests/support/faults/cuttable-line.ts";
import { cardOf, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob, seedManyJobs } from "../../../dev/seed/seed-jobs.ts";

/** Logged by a list that was reloading when the connection was cut. */
const CUT_WHILE_LOADING = "The server could not be reached";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});
test.beforeEach(async () => {
  await clipmill.db.deleteFrom("jobs").execute();
});

const seed = (differences: Parameters<typeof seedJob>[1]) => seedJob(clipmill, differences);

async function change(id: string, changes: { status?: "Completed" | "Failed"; progress?: number }): Promise<void> {
  await clipmill.db
    .updateTable("jobs")
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
}

for (const [screen, address] of [
  ["the dashboard", "/"],
  ["the history", "/job-history"],
] as const) {
  test(`after a minute without a connection, ${screen} is up to date again without a reload`, async ({ page }) => {
    const line = await openCuttableLine(clipmill.url);
    try {
      const running = await seed({
        name: "Ran on",
        minutesAgo: 3,
        status: "Processing",
        progress: 40,
        current_video: 1,
      });
      const doomed = await seed({ name: "Deleted meanwhile", minutesAgo: 4, status: "Completed" });
      await page.clock.install();
      const errors = await signIn(page, line.url);
      await page.goto(line.url + address);
      await expect(cardOf(page, "Ran on").getByText("Processing", { exact: true })).toBeVisible();
      // The socket is connected, so changes arrive.
      await change(running, { progress: 50 });
      await expect(cardOf(page, "Ran on").getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");

      line.cut();
      await page.clock.fastForward(3_000);
      await expect(page.getByRole("banner").getByText("Reconnecting...")).toBeVisible();
      await change(running, { status: "Completed", progress: 100 });
      await clipmill.db.deleteFrom("jobs").where("id", "=", doomed).execute();
      await seed({ name: "Made meanwhile", status: "Failed", error_message: "Gone." });
      await page.clock.runFor(60_000);
      await expect(cardOf(page, "Made meanwhile")).toHaveCount(0);
      await expect(cardOf(page, "Ran on").getByText("Processing", { exact: true })).toBeVisible();

      line.mend();
      await expect(async () => {
        await page.clock.runFor(10_000);
        await expect(page.getByRole("banner").getByText("Reconnecting...")).toHaveCount(0, { timeout: 1_000 });
      }).toPass();
      await expect(cardOf(page, "Made meanwhile")).toBeVisible();
      await expect(cardOf(page, "Ran on").getByText("Completed", { exact: true })).toBeVisible();
      await expect(cardOf(page, "Deleted meanwhile")).toHaveCount(0);
      await seed({ name: "Made afterwards", status: "Completed" });
      await expect(cardOf(page, "Made afterwards")).toBeVisible();
      expect(errors.filter((error) => !isResponseError(error) && !error.includes(CUT_WHILE_LOADING))).toEqual([]);
    } finally {
      await line.close();
    }
  });
}

test("a screen opened while the server cannot be reached appears once the server is back", async ({ page }) => {
  const line = await openCuttableLine(clipmill.url);
  try {
    await signIn(page, line.url);
    await page.goto(line.url);
    await expect(page.getByText("Recent Jobs")).toBeVisible();
    line.cut();
    await page.getByRole("complementary").getByRole("link", { name: "Library", exact: true }).click();
    await expect(
      page.getByText("The server can't be reached. This page will reload when the server is back."),
    ).toBeVisible();
    line.mend();
    await expect(page.getByRole("main").getByRole("searchbox")).toBeVisible();
  } finally {
    await line.close();
  }
});

// spec 4.2.4
test("a large job's lists are sent to its page once, survive live updates, and are complete in a rerun", async ({
  page,
}) => {
  const captions = Array.from({ length: 400 }, (_, i) => `Caption ${i} of many that are longer than a light row has`);
  const id = await seed({
    name: "Large",
    status: "Processing",
    progress: 1,
    current_video: 1,
    captions_enabled: true,
    custom_captions: captions,
  });
  const withCaptions: string[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "fetch") return;
    const body = await response.text().catch(() => "");
    if (body.includes("Caption 399")) withCaptions.push(new URL(response.url()).pathname);
  });
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${id}`);
  const rail = page.getByRole("complementary", { name: "Progress and settings" });
  await expect(rail).toContainText("Captions400");
  await change(id, { progress: 50 });
  await expect(page.getByText("50%").first()).toBeVisible();
  await expect(rail).toContainText("Captions400");

  // Dashboard and history never receive them.
  await page.getByRole("link", { name: "Dashboard" }).click();
  await change(id, { progress: 60 });
  await expect(cardOf(page, "Large").getByRole("progressbar")).toHaveAttribute("aria-valuenow", "60");
  await page.getByRole("link", { name: "Job History" }).first().click();
  await change(id, { status: "Failed" });
  await expect(cardOf(page, "Large").getByText("Failed", { exact: true })).toBeVisible();
  expect(withCaptions).toEqual(["/rest/v1/jobs"]);

  await cardOf(page, "Large").getByRole("button", { name: "Rerun" }).click();
  await expect(cardOf(page, "Large (Rerun)")).toBeVisible();
  const made = await clipmill.db
    .selectFrom("jobs")
    .select("custom_captions")
    .where("job_name", "=", "Large (Rerun)")
    .executeTakeFirst();
  expect(made?.custom_captions).toEqual(captions);
  expect(errors).toEqual([]);
});

// spec 4.2.4
test("two thousand cards scroll with few of them in the DOM, and an update renders one card", async ({ page }) => {
  test.slow();
  await seedManyJobs(clipmill, 2_000);
  const running = await seed({ name: "Running", status: "Processing", progress: 10, current_video: 1 });
  await countDrawnCards(page);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  await expect(cardOf(page, "Running")).toBeVisible();

  await expectOneDrawn(page, running, 25);

  let maxCards = 0;
  let maxElements = 0;
  await expect(async () => {
    const { cards, elements, isEnd } = await page.evaluate(() => {
      window.scrollTo(0, document.body.scrollHeight);
      return {
        cards: document.querySelectorAll("main li").length,
        elements: document.querySelectorAll("*").length,
        isEnd: document.body.textContent.includes("You've reached the end of the results."),
      };
    });
    maxCards = Math.max(maxCards, cards);
    maxElements = Math.max(maxElements, elements);
    expect(isEnd).toBe(true);
  }).toPass({ intervals: [20], timeout: 100_000 });
  await expect(page.getByText("Total: 2,001 jobs.")).toBeVisible();
  await expect(cardOf(page, "Batch 1")).toBeVisible();
  expect(maxCards).toBeGreaterThan(10);
  expect(maxCards).toBeLessThan(60);
  expect(maxElements).toBeLessThan(3_000);

  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(cardOf(page, "Running")).toBeInViewport();
  await expectOneDrawn(page, running, 50);
  expect(errors).toEqual([]);
});

async function expectOneDrawn(page: Page, jobId: string, progress: number): Promise<void> {
  // Pages still loading render their cards when they arrive.
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.evaluate(() => {
    window.drawnCards = [];
  });
  await change(jobId, { progress });
  await expect(cardOf(page, "Running").getByRole("progressbar")).toHaveAttribute("aria-valuenow", String(progress));
  expect(await page.evaluate(() => [...new Set(window.drawnCards)])).toEqual([jobId]);
}
