/** Moves, holds and releases jobs; the real worker has one slot. */
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { cardOf, expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";

let twin: ClipTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
/** Occupies the worker's slot until released; each test has its own. */
let gate: string;
let tests = 0;

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  twin.addClip("good");
  const dataDir = path.join(twin.folder, "data");
  clipmill = await startInstalledClipmill(dataDir, { ...twin.environment, WORKER_CONCURRENCY: "1" });
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

test.beforeEach(() => {
  tests += 1;
  gate = `gate-${tests}`;
  twin.addClip(gate, { kind: "gated" });
});

/** The first video of the busy job occupies the slot. */
async function fillQueue(...names: string[]): Promise<{ busy: string; waiting: string[] }> {
  const links = [twin.links(gate), twin.links("good"), twin.links("good")];
  const { id: busy } = await createJob(client, { job_name: `Busy ${tests}`, input_videos: links });
  await expect.poll(async () => (await readJob(client, busy)).status, { timeout: 30_000 }).toBe("Processing");
  const waiting: string[] = [];
  for (const name of names) {
    waiting.push((await createJob(client, { job_name: name, input_videos: [twin.links("good")] })).id);
  }
  return { busy, waiting };
}

async function finish(ids: string[]): Promise<void> {
  twin.release(gate);
  for (const id of ids) await expect.poll(() => hasEnded(client, id), { timeout: 60_000 }).toBe(true);
}

const toasts = (page: Page) => page.getByRole("region", { name: "Notifications" });

async function choose(page: Page, job: string, item: string): Promise<void> {
  await cardOf(page, job)
    .getByRole("button", { name: `More actions for ${job}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a job can be moved to the front, held and released from its card, and another tab shows it live", async ({
  page,
  context,
}) => {
  const { busy, waiting } = await fillQueue("First", "Second", "Third");
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  const other = await context.newPage();
  await other.goto(`${clipmill.url}/job-history`);
  for (const tab of [page, other]) {
    await expect(cardOf(tab, "First").getByText("Queued #1")).toBeVisible();
    await expect(cardOf(tab, "Third").getByText("Queued #3")).toBeVisible();
  }

  await choose(page, "Third", "Move to front");
  await expect(toasts(page).getByText("Moved to the front")).toBeVisible();
  for (const tab of [page, other]) {
    await expect(cardOf(tab, "Third").getByText("Queued #1")).toBeVisible();
    await expect(cardOf(tab, "First").getByText("Queued #2")).toBeVisible();
    await expect(cardOf(tab, "Second").getByText("Queued #3")).toBeVisible();
  }

  await choose(page, "First", "Hold");
  await expect(toasts(page).getByText("Job on hold")).toBeVisible();
  for (const tab of [page, other]) {
    await expect(cardOf(tab, "First").getByText("On hold", { exact: true })).toBeVisible();
    await expect(cardOf(tab, "Second").getByText("Queued #2")).toBeVisible();
  }
  await expectAccessible(page);

  await finish([busy, waiting[1]!, waiting[2]!]);
  await expect(cardOf(page, "Third").getByText("Completed")).toBeVisible();
  await expect(cardOf(page, "First").getByText("On hold", { exact: true })).toBeVisible();
  await choose(other, "First", "Release");
  await expect(cardOf(page, "First").getByText("Completed")).toBeVisible({ timeout: 30_000 });

  await cardOf(page, "First").getByRole("button", { name: "More actions for First" }).click();
  await expect(page.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  for (const item of ["Move to front", "Hold", "Release"]) {
    await expect(page.getByRole("menuitem", { name: item })).toHaveCount(0);
  }
  expect(errors).toEqual([]);
});

test("a running job can be held and released on its page, and a double click sends one request", async ({ page }) => {
  const { busy } = await fillQueue();
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${busy}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Hold" }).click();
  await expect(page.getByText("2 videos will wait until you release the job.")).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Progress and settings" }).getByText("On hold")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // The running video finishes; waiting videos stay held.
  twin.release(gate);
  await expect(page.getByRole("article").filter({ hasText: "Completed" }).first()).toBeVisible({ timeout: 30_000 });
  expect(await readJob(client, busy)).toMatchObject({ status: "Processing", waiting_videos: 2 });

  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes('"release"')) asked.push(request.url());
  });
  await page.getByRole("button", { name: "Release" }).dblclick();
  await expect(toasts(page).getByText("Job released")).toBeVisible();
  await expect(page.getByText(/until you release the job/)).toHaveCount(0);
  expect(asked).toHaveLength(1);
  await finish([busy]);
  expect(errors).toEqual([]);
});

test("a job that could not be moved shows the reason and keeps its place", async ({ page }) => {
  const { busy, waiting } = await fillQueue("Rejected");
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  let fulfilled: { status: number; body: string } | null = {
    status: 409,
    body: '{"error":"The job has already finished."}',
  };
  await page.route("**/functions/v1/jobs", async (route) => {
    if (!route.request().postData()?.includes('"bump"')) return route.continue();
    return fulfilled ? route.fulfill({ ...fulfilled, contentType: "application/json" }) : route.abort();
  });
  await choose(page, "Rejected", "Move to front");
  await expect(page.getByRole("alert").filter({ hasText: "The job has already finished." })).toBeVisible();
  fulfilled = null;
  await choose(page, "Rejected", "Move to front");
  const failed = "Couldn't move the job to the front. Try again.";
  await expect(page.getByRole("alert").filter({ hasText: failed })).toBeVisible();
  await expect(cardOf(page, "Rejected").getByText("Queued #1")).toBeVisible();
  await finish([busy, ...waiting]);
  expect(errors.filter((error) => !isResponseError(error) && !error.includes("ERR_FAILED"))).toEqual([]);
});
