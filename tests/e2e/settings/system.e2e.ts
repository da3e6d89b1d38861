/** The real worker has one slot. */
import os from "node:os";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import type { Job } from "#contract/jobs/jobs.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { EMAIL } from "#tests/support/servers/clipmill-process.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const HOST = os.hostname();
/** An idle worker claims a job immediately, so a video that waits for 2 s is not being claimed. */
const WAITS = /1 video waiting, the longest for ([2-9]|\d\d) s/;

let twin: ClipTwin;
let clipmill: SeededClipmill;
let client: SupabaseClient;
let clips = 0;

test.beforeAll(async () => {
  twin = await startClipTwin(2);
  clipmill = await startSeededClipmill({ ...twin.environment, WORKER_CONCURRENCY: "1" });
  client = await signedInClient(clipmill.url);
});
test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

/** The job's only video stays in progress until `finish` is called. */
async function createHeld(name: string): Promise<{ job: Job; finish: () => Promise<void> }> {
  const id = `held-${(clips += 1)}`;
  const job = await createJob(client, { job_name: name, input_videos: [twin.addClip(id, { kind: "gated" })] });
  const finish = async () => {
    twin.release(id);
    await expect.poll(() => hasEnded(client, job.id), { timeout: 30_000 }).toBe(true);
  };
  return { job, finish };
}

/** Returns a live array of console errors. */
async function openSystem(page: Page): Promise<string[]> {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/system`);
  // The card updates only while visible.
  await workerOf(page).scrollIntoViewIfNeeded();
  return errors;
}

const systemOf = (page: Page) => page.getByRole("region", { name: "System" });

function workerOf(page: Page, name = HOST): Locator {
  return systemOf(page)
    .getByRole("list", { name: "Workers" })
    .locator("> li")
    .filter({ has: page.getByRole("heading", { name, exact: true }) });
}

const press = (within: Locator, name: string) => within.getByRole("button", { name, exact: true }).click();

test("a paused worker leaves a new job waiting and claims it when resumed", async ({ page }) => {
  const errors = await openSystem(page);
  const [system, worker] = [systemOf(page), workerOf(page)];
  await expect(worker.getByText("Idle")).toBeVisible();
  await expect(worker.getByText(/^Last heartbeat \d s ago$/)).toBeVisible();
  await press(worker, `Pause ${HOST}`);
  await expect(worker.getByText("Paused")).toBeVisible();

  const { job, finish } = await createHeld("Made while paused");
  await expect(system.getByText(WAITS)).toBeVisible({ timeout: 10_000 });
  expect(twin.requests).toEqual([]);
  await page.goto(clipmill.url);
  await expect(page.getByText("The worker isn't taking new videos.")).toBeVisible();
  // The note's link.
  await page.getByRole("main").getByRole("link", { name: "Settings", exact: true }).click();
  await worker.scrollIntoViewIfNeeded();
  await press(worker, `Resume ${HOST}`);
  await expect(worker.getByText("Working")).toBeVisible();
  await expect(worker.getByRole("link", { name: "Made while paused" })).toHaveAttribute("href", `/jobs/${job.id}`);
  await expect(worker.getByText("Fetching")).toBeVisible();
  // Shown after a second of work.
  await expect(worker.getByText("Speed 0.0x")).toBeVisible();
  await finish();
  await expect(worker.getByText("Idle")).toBeVisible();
  await expect(worker.getByText(/^Speed [\d.]+x$/)).toBeVisible();
  await expect(system.getByText("The queue is empty.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("increasing a worker's concurrent videos starts a second video without a restart", async ({ page }) => {
  const errors = await openSystem(page);
  const [system, worker] = [systemOf(page), workerOf(page)];
  const [first, second] = [await createHeld("The first"), await createHeld("The second")];
  const atWork = worker.getByRole("list", { name: `Videos in progress on ${HOST}` }).getByRole("listitem");
  await expect(system.getByText(WAITS)).toBeVisible({ timeout: 10_000 });
  await expect(atWork).toHaveCount(1);
  await expect(worker.getByRole("button", { name: "Decrease concurrent videos" })).toBeDisabled();
  await press(worker, "Increase concurrent videos");
  await expect(atWork).toHaveCount(2);
  await expect(worker.getByRole("group", { name: `Concurrent videos on ${HOST}` })).toContainText("2");
  await press(worker, "Decrease concurrent videos");
  await first.finish();
  await second.finish();
  await expect(worker.getByText("Idle")).toBeVisible();
  await expect
    .poll(() => clipmill.db.selectFrom("workers").select(["concurrency", "wanted_concurrency"]).execute())
    .toEqual([{ concurrency: 1, wanted_concurrency: 1 }]);
  expect(errors).toEqual([]);
});

test("a paused queue shows a note wherever jobs wait, and can be resumed from there", async ({ page }) => {
  const errors = await openSystem(page);
  await press(systemOf(page), "Pause queue");
  await expect(workerOf(page).getByText("Queue paused")).toBeVisible();
  const { job, finish } = await createHeld("Held back");
  await expect(systemOf(page).getByText(WAITS)).toBeVisible({ timeout: 10_000 });
  const note = page.getByText(new RegExp(`^The queue is paused\\. ${EMAIL} paused it on`));
  await expect(note).toBeVisible();
  for (const address of ["/job-history", `/jobs/${job.id}`, "/"]) {
    await page.goto(clipmill.url + address);
    await expect(note).toBeVisible();
  }
  await expect(page.getByText("1 job is waiting.", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(note).toBeHidden();
  await finish();
  expect(errors).toEqual([]);
});

/** Exists only in the table, with a heartbeat in the future or the past. */
async function addWorker(name: string, beat: string): Promise<void> {
  await sql`insert into workers (id, name, version, pid, concurrency, can_drain, beat_at)
    values (gen_random_uuid(), ${name}, '0.0.1', 7, 2, true, now() + ${beat}::interval)`.execute(clipmill.db);
}

test.describe("other workers", () => {
  test.afterEach(async () => {
    await clipmill.db.deleteFrom("workers").where("version", "=", "0.0.1").execute();
  });

  test("a worker is drained after confirmation and can be resumed", async ({ page }) => {
    await addWorker("attic", "1 hour");
    const errors = await openSystem(page);
    const attic = workerOf(page, "attic");
    await expect(attic.getByText(/^This worker runs version 0\.0\.1, but the server runs /)).toBeVisible();
    await expect(workerOf(page).getByRole("button", { name: `Drain ${HOST}` })).toHaveCount(0);
    await press(attic, "Drain attic");
    await page.getByRole("button", { name: "Keep running" }).click();
    await expect(attic.getByText("Idle")).toBeVisible();
    await press(attic, "Drain attic");
    const dialog = page.getByRole("alertdialog", { name: "Drain attic?" });
    await expect(dialog).toContainText("then exits");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Drain", exact: true }).click();
    await expect(attic.getByText("Draining")).toBeVisible();
    await press(attic, "Resume attic");
    await expect(attic.getByText("Idle")).toBeVisible();
    expect(errors).toEqual([]);
  });

  test("a lost worker is shown as lost and can be removed; acting on a missing worker shows a toast", async ({
    page,
  }) => {
    await addWorker("attic", "-40 seconds");
    await addWorker("vault", "1 hour");
    const errors = await openSystem(page);
    await expect(systemOf(page).getByText("2 workers online, 1 lost.")).toBeVisible();
    const attic = workerOf(page, "attic");
    await expect(attic.getByText("Lost", { exact: true })).toBeVisible();
    await expect(attic.getByText(/^Last heartbeat 4\d s ago$/)).toBeVisible();
    await expect(attic.getByRole("button")).toHaveCount(1);
    await press(attic, "Remove attic");
    await expect(attic).toHaveCount(0);

    // The card is not refreshed meanwhile.
    await page.route("**/functions/v1/system", async (route) => {
      if (route.request().method() === "POST") await route.continue();
    });
    await clipmill.db.deleteFrom("workers").where("name", "=", "vault").execute();
    await press(workerOf(page, "vault"), "Pause vault");
    await expect(
      page.getByRole("region", { name: "Notifications" }).getByText("This worker is no longer running."),
    ).toBeVisible();
    expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
  });
});

test("the card works with the keyboard, on a phone, and when it cannot be loaded", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const errors = await openSystem(page);
  const worker = workerOf(page);
  await worker.getByRole("button", { name: `Pause ${HOST}` }).focus();
  await page.keyboard.press("Enter");
  await expect(worker.getByText("Paused")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(worker.getByText("Idle")).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);

  await page.route("**/functions/v1/system", (route) => route.fulfill({ status: 503, json: { error: "Not now." } }));
  await expect(systemOf(page).getByText("This may be out of date. Not now.")).toBeVisible();
  await page.reload();
  await systemOf(page).scrollIntoViewIfNeeded();
  await expect(systemOf(page).getByText("Couldn't load the workers")).toBeVisible();
  await page.unroute("**/functions/v1/system");
  await systemOf(page).getByRole("button", { name: "Try again" }).click();
  await expect(worker.getByText("Idle")).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});
