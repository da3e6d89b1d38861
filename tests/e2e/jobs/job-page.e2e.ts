/** Covers outputs, failures, events and notifications, with a real worker. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { cardOf, expectNoOverflow, isResponseError, openDashboard, signIn } from "#tests/support/browser/screens.ts";

let twin: ClipTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  twin.addClip("good");
  clipmill = await startInstalledClipmill(path.join(twin.folder, "data"), twin.environment);
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

/** The job has a video with two captions, and one that is not shared. */
async function makeEndedJob(name: string, secret: string): Promise<string> {
  const job = await createJob(client, {
    job_name: name,
    input_videos: [twin.links("good"), twin.addClip(secret, { kind: "notShared" })],
    captions_enabled: true,
    custom_captions: ["Wait for it", "انتظر 🎬"],
    variants_per_video: 2,
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  return job.id;
}

async function open(page: Page, id: string, name: string): Promise<string[]> {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${id}`);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  return errors;
}

// spec 5.2
test("files, settings, reasons and events are shown at every width, and links work without sign-in", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await makeEndedJob("Two captions", "shown");
  const errors = await open(page, id, "Two captions");
  await expect(page).toHaveTitle("Two captions · Clipmill");
  const made = page.getByRole("article", { name: "good.mp4" });
  await expect(made.getByText("Wait for it")).toBeVisible();
  await expect(made.getByText("انتظر 🎬")).toBeVisible();
  await expect(made.getByText("0:01")).toHaveCount(2);
  await expect(made.getByText(/^\d[\d.]* kB$/)).toHaveCount(2);
  await expect(made.locator("img")).toHaveCount(2);
  await expect
    .poll(() =>
      made
        .locator("img")
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalHeight),
    )
    .toBeGreaterThan(0);

  const rail = page.getByRole("complementary", { name: "Progress and settings" });
  await expect(rail.getByText("Finished in")).toBeVisible();
  await expect(rail).toContainText("Captions2");
  const events = rail.getByRole("listitem");
  await expect(events.first()).toContainText("Job queued");
  await expect(events.last()).toContainText("Job completed");
  await expect(events.filter({ hasText: "Video 2 failed" })).toContainText("not shared");

  const download = page.waitForEvent("download");
  await made
    .getByRole("link", { name: /^Download / })
    .first()
    .click();
  expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
  const copy = made.getByRole("button", { name: /^Copy link to / }).first();
  await copy.click();
  await expect(made.getByRole("button", { name: "Copied!" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).origin).toBe(clipmill.url);
  // Anyone with the link can play the file.
  expect((await fetch(link)).headers.get("content-type")).toBe("video/mp4");

  const head = page.getByRole("main");
  await expect(head.getByText("Completed", { exact: true }).first()).toBeVisible();
  await expect(head.getByText("Partly failed", { exact: true })).toBeVisible();
  // Pictures have their own shape and at least 160 px. The browser remembers their size.
  const picture = made.locator("img").first();
  const widthOf = async () => (await picture.boundingBox())!.width;
  const small = await widthOf();
  expect(small).toBeGreaterThanOrEqual(160);
  await page.getByText("L", { exact: true }).click();
  await expect.poll(widthOf).toBeGreaterThanOrEqual(320);
  await page.reload();
  await expect(page.getByRole("radio", { name: "L", exact: true })).toBeChecked();
  await page.getByText("S", { exact: true }).click();
  await expect.poll(widthOf).toBe(small);

  await expect(page.getByRole("button", { name: "More actions" })).toBeEnabled();
  await page.getByRole("link", { name: "Back to Job History" }).focus();
  for (const name of ["Rerun", "Duplicate", "Review", "Download zip", "More actions", "S", "Status"]) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(name);
  }
  await page.locator(":focus").blur();
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/review(?:\?output=[\w-]+)?$/);
  await page.goBack();

  await expectAccessible(page);
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
  }
  const play = made.getByRole("button", { name: /^Play / }).first();
  await play.click();
  await expect(page.getByRole("dialog").locator("video")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(play).toBeFocused();
  expect(errors).toEqual([]);
});

test("the player shows the caption, steps with the arrow keys, downloads and copies the link", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await makeEndedJob("Played through", "not-played");
  const errors = await open(page, id, "Played through");
  await page
    .getByRole("button", { name: /^Play / })
    .first()
    .click();
  const player = page.getByRole("dialog");
  const source = () => player.locator("video").evaluate((video: HTMLVideoElement) => video.currentSrc);
  await expect(player.getByText("Wait for it")).toBeVisible();
  await expect(player.getByText("1 of 2")).toBeVisible();
  const first = await source();
  // With the focus on the video, the browser would seek on the same key.
  await player.locator("video").focus();
  await page.keyboard.press("ArrowRight");
  await expect(player.getByText("انتظر 🎬")).toBeVisible();
  await expect(player.getByText("2 of 2")).toBeVisible();
  await expect.poll(source).not.toBe(first);
  await expectAccessible(page);

  const download = page.waitForEvent("download");
  await player.getByRole("link", { name: /^Download / }).click();
  expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
  await player.getByRole("button", { name: /^Copy link to / }).click();
  await expect(player.getByRole("button", { name: "Copied!" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await source());

  await page.keyboard.press("ArrowLeft");
  await expect(player.getByText("Wait for it")).toBeVisible();
  await player.getByRole("button", { name: "Previous file" }).click();
  await expect(player.getByText("2 of 2")).toBeVisible();
  for (const size of [
    { width: 1366, height: 650 },
    { width: 390, height: 844 },
    { width: 320, height: 480 },
  ]) {
    await page.setViewportSize(size);
    await expect(player.getByRole("link", { name: /^Download / })).toBeInViewport({ ratio: 1 });
    await expectNoOverflow(page);
  }
  expect(errors).toEqual([]);
});

test("a failure's details open with the keyboard, and its report contains no secrets", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clip = await readFile(path.join(twin.folder, "clip.mp4"));
  const bytes = clip.subarray(0, clip.length / 2);
  twin.add({ id: "cut-off", bytes, name: "cut-off.mp4", mimeType: "video/mp4" });
  for (const id of ["no-sound", "no-sound-either"])
    twin.add({ id, bytes: Buffer.from("No sound."), name: "notes.mp3", mimeType: "audio/mpeg" });
  const job = await createJob(client, {
    job_name: "Two failures",
    input_videos: [twin.links("cut-off"), twin.addClip("without-music")],
    variants_per_video: 2,
    audio_enabled: true,
    custom_audio_links: [twin.links("no-sound"), twin.links("no-sound-either")],
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const errors = await open(page, job.id, "Two failures");

  const failed = page.getByRole("article").first();
  const details = failed.getByRole("button", { name: "Details: video 1" });
  await details.press("Enter");
  await expect(details).toHaveAttribute("aria-expanded", "true");
  await expect(failed.getByText("probe", { exact: true })).toBeVisible();
  await expect(failed.getByText("damaged", { exact: true })).toBeVisible();
  await expect(failed.getByText("moov atom not found")).toBeVisible();
  await failed.getByRole("button", { name: "Copy report" }).press("Enter");
  await expect(failed.getByRole("button", { name: "Copied!" })).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^Clipmill: \d/);
  for (const known of [job.id, "Two failures", "Step: probe", "Code: damaged", "moov atom not found", "Attempts: 1"])
    expect(report).toContain(known);
  for (const secret of [twin.folder, "://", twin.url]) expect(report).not.toContain(secret);

  // The first track's error is the video's own, shown once.
  const output = page.getByRole("article").nth(1).getByRole("listitem").filter({ hasText: "Track 2:" });
  await output.getByRole("button", { name: /^Details: .*\.mp4$/ }).press("Enter");
  await expect(output.getByText("not_audio", { exact: true })).toBeVisible();
  await expectAccessible(page);
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
  }
  await details.press("Enter");
  await expect(failed.getByText("moov atom not found")).toBeHidden();
  expect(errors).toEqual([]);
});

test("failed videos are retried once their cause is fixed, and finished outputs stay", async ({ page }) => {
  const id = await makeEndedJob("Second chance", "shared-later");
  const errors = await open(page, id, "Second chance");
  const failed = page.getByRole("article", { name: twin.links("shared-later") });
  await expect(failed.getByText("Failed", { exact: true })).toBeVisible();
  twin.addClip("shared-later");
  await page.getByRole("button", { name: "Retry failed" }).click();
  await expect(page.getByText("Failed videos are back in the queue.")).toBeVisible();
  const healed = page.getByRole("article", { name: "shared-later.mp4" });
  await expect(healed.getByText("2 of 2 files")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("article", { name: "good.mp4" }).getByText("2 of 2 files")).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry failed" })).toHaveCount(0);
  const rail = page.getByRole("complementary", { name: "Progress and settings" });
  await expect(rail.getByRole("listitem").last()).toContainText("Job completed");
  expect(errors).toEqual([]);
});

test("a rejected retry shows the server's reason, and a failed one asks to try again", async ({ page }) => {
  const id = await makeEndedJob("No chance", "never");
  const errors = await open(page, id, "No chance");
  const toast = page.getByLabel("Notifications").getByRole("alert");
  for (const [fulfilled, text] of [
    [{ status: 409, json: { error: "Nothing failed in this job." } }, "Nothing failed in this job."],
    [{ status: 500, json: { error: "Broken." } }, "Couldn't retry the job. Try again."],
    [null, "Couldn't retry the job. Try again."],
  ] as const) {
    await page.route("**/functions/v1/jobs", (route) => (fulfilled ? route.fulfill(fulfilled) : route.abort()));
    await page.getByRole("button", { name: "Retry failed" }).click();
    await expect(toast).toContainText(text);
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await page.unroute("**/functions/v1/jobs");
  }
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("the tab title shows the progress, and the browser notifies of ended jobs and samples once enabled", async ({
  page,
}) => {
  await page.addInitScript(standInForNotifications);
  const job = await createJob(client, { job_name: "Told", input_videos: [twin.addClip("told", { kind: "gated" })] });
  const errors = await open(page, job.id, "Told");
  await expect(page).toHaveTitle("3% · Told · Clipmill");
  const control = page.getByRole("switch", { name: "Notify me when a job ends" });
  await expect(control).not.toBeChecked();
  expect(await page.evaluate(() => window.asked)).toBe(0);
  await control.check();
  expect(await page.evaluate(() => window.asked)).toBe(1);

  // The setting is saved, and the notification also appears on another screen of a hidden tab.
  await page.reload();
  await expect(control).toBeChecked();
  await page.goto(`${clipmill.url}/settings`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
  twin.release("told");
  await expect.poll(() => page.evaluate(() => window.shown), { timeout: 30_000 }).toEqual(["Told completed"]);

  const sampled = [twin.addClip("sampled", { kind: "gated" }), twin.links("good")];
  const proof = await createJob(client, { job_name: "Shown first", input_videos: sampled, proof_count: 1 });
  twin.release("sampled");
  await expect
    .poll(() => page.evaluate(() => window.shown), { timeout: 30_000 })
    .toEqual(["Told completed", "Shown first needs approval"]);
  await client.functions.invoke("jobs?action=stop", { body: { jobId: proof.id } });
  await expect.poll(() => page.evaluate(() => window.shown)).toContain("Shown first completed");
  expect(errors).toEqual([]);
});

test("deleting a job leads from its page to the history, and its address shows that it does not exist", async ({
  page,
}) => {
  const job = await createJob(client, { job_name: "Short-lived", input_videos: [twin.links("good")] });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const errors = await open(page, job.id, "Short-lived");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete job" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/job-history`);
  await expect(page.getByText("Job deleted", { exact: true })).toBeVisible();
  await expect(readJob(client, job.id)).rejects.toMatchObject({ code: "PGRST116" });

  for (const address of [job.id, "nonsense"]) {
    await page.goto(`${clipmill.url}/jobs/${address}`);
    await expect(page.getByText("This job does not exist.")).toBeVisible();
  }
  await expectAccessible(page);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("a page that cannot be loaded shows an error with Try again, and an offline page loads once online", async ({
  page,
  context,
}) => {
  const job = await createJob(client, { job_name: "Reachable", input_videos: [twin.links("good")] });
  const errors = await signIn(page, clipmill.url);
  await page.route("**/rest/v1/jobs?*", (route) => route.fulfill({ status: 400, json: { message: "No." } }));
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  await expect(page.getByRole("alert").getByText("Couldn't load this job")).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/rest/v1/jobs?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reachable" })).toBeVisible();

  await page.getByRole("link", { name: "Back to Job History" }).click();
  const other = await createJob(client, { job_name: "Out of reach", input_videos: [twin.links("good")] });
  const link = page.getByRole("link", { name: "Out of reach", exact: true });
  await expect(link).toBeVisible();
  await context.setOffline(true);
  await link.click();
  await expect(page.getByText("You are offline")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Out of reach" })).toBeVisible();
  await expect(page).toHaveURL(`${clipmill.url}/jobs/${other.id}`);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

// spec 2.3.8, 2.3.9, 2.8.7, 9.23
test("zips download from the dashboard, and several from the history, each named after its job", async ({ page }) => {
  const ids = [await makeEndedJob("Zip one", "zip-one"), await makeEndedJob("Zip two", "zip-two")];
  const errors = await openDashboard(page, clipmill.url);
  const download = page.waitForEvent("download");
  await cardOf(page, "Zip one").getByRole("button", { name: "Download zip" }).click();
  expect((await download).suggestedFilename()).toBe(`${ids[0]}-outputs.zip`);
  await cardOf(page, "Zip two").getByRole("link", { name: "Open output folder" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/jobs/${ids[1]}`);

  await page.goto(`${clipmill.url}/job-history`);
  await page.getByRole("checkbox", { name: "Select Zip one" }).check();
  await page.getByRole("checkbox", { name: "Select Zip two" }).check();
  const names: string[] = [];
  page.on("download", (file) => names.push(file.suggestedFilename()));
  await page.getByRole("toolbar", { name: "Selected jobs" }).getByRole("button", { name: "Download 2" }).click();
  await expect.poll(() => names.toSorted()).toEqual(ids.map((id) => `${id}-outputs.zip`).toSorted());

  await page.route("**/rest/v1/jobs?*", (route) => route.fulfill({ status: 500, json: { message: "Broken." } }));
  await cardOf(page, "Zip one").getByRole("button", { name: "Download zip" }).click();
  await expect(page.getByRole("alert")).toContainText("Couldn't download the files. Try again.");
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

declare global {
  interface Window {
    asked: number;
    shown: string[];
  }
}

/** A headless browser shows no notifications. */
function standInForNotifications(): void {
  window.asked = 0;
  window.shown = [];
  class StandIn extends EventTarget {
    static get permission(): NotificationPermission {
      return sessionStorage.getItem("allowed") ? "granted" : "default";
    }
    static requestPermission(): Promise<NotificationPermission> {
      window.asked += 1;
      sessionStorage.setItem("allowed", "yes");
      return Promise.resolve("granted");
    }
    constructor(title: string) {
      super();
      window.shown.push(title);
    }
    close(): void {
      this.dispatchEvent(new Event("close"));
    }
  }
  Object.assign(window, { Notification: StandIn });
}

test("of 1,200 videos only those in view are drawn, and scrolling reaches the last", async ({ page }) => {
  const link = twin.addClip("never-made", { kind: "notShared" });
  const rows = Array.from({ length: 1_200 }, () => ({ link, settings: { variants_per_video: 2 } }));
  const job = await createJob(client, { job_name: "A campaign", rows });
  await client.functions.invoke("jobs?action=hold", { body: { jobId: job.id } });
  await open(page, job.id, "A campaign");
  const drawn = page.getByRole("article");
  await expect(drawn.first()).toContainText("0 of 2 files");
  expect(await drawn.count()).toBeLessThan(60);
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page.locator("[aria-posinset='1200']")).toBeInViewport({ timeout: 100 });
  }).toPass();
  expect(await drawn.count()).toBeLessThan(60);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
});

test("canceling 1,200 videos reads only the newest events, and a click shows all of them", async ({ page }) => {
  const link = twin.addClip("canceled", { kind: "notShared" });
  const job = await createJob(client, { job_name: "Stopped", input_videos: Array.from({ length: 1_200 }, () => link) });
  await client.functions.invoke("jobs?action=hold", { body: { jobId: job.id } });
  type EventsRequest = { action?: string; limit?: number } | null;
  const eventReads: (number | undefined)[] = [];
  let videoReads = 0;
  page.on("request", (request) => {
    if (request.url().includes("/rest/v1/job_videos")) videoReads += 1;
    const body = request.url().includes("/functions/v1/jobs") ? (request.postDataJSON() as EventsRequest) : null;
    if (body?.action === "events") eventReads.push(body.limit);
  });
  await open(page, job.id, "Stopped");
  // The second is after subscribing to live updates.
  await expect.poll(() => videoReads).toBe(2);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
  await expect(page.getByText("1,200 of 1,200 videos finished")).toBeVisible();
  const rail = page.getByRole("complementary", { name: "Progress and settings" });
  await expect(rail.getByRole("listitem").last()).toContainText("Job cancelled");
  expect(videoReads).toBe(2);
  expect(new Set(eventReads)).toEqual(new Set([12]));
  await rail.getByRole("button", { name: /^Show all \d+ events$/ }).click();
  await expect(rail.getByRole("listitem").first()).toContainText("Job queued");
  expect(await rail.getByRole("listitem").count()).toBeLessThan(700);
  expect(eventReads.filter((limit) => limit === undefined)).toHaveLength(1);
  // Back on the page, the newest are shown again, which live updates refresh.
  await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
  await expect(page.getByRole("button", { name: "Start Processing" })).toBeVisible();
  await page.goBack();
  await expect(rail.getByRole("listitem")).toHaveCount(12);
});

// spec 2.19.4
test("all files with one clip of a slot are approved or rejected together", async ({ page }) => {
  const link = twin.links("good");
  const clips = [{ link, end_seconds: 0.5 }, { link }];
  const job = await createJob(client, {
    job_name: "Assembled",
    input_videos: [],
    slots: [
      { name: "Hook", clips },
      { name: "Body", clips },
    ],
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${job.id}/review`);
  const parts = page.getByRole("region", { name: "Parts" });
  await expect(parts.getByRole("listitem")).toHaveText(["Hook 12 files", "Body 12 files"]);
  await parts.getByRole("button", { name: "Approve all 2 files with Hook 1" }).click();
  await expect(page.getByRole("button", { name: "Approved 2" })).toBeVisible();
  await expect(parts.getByRole("listitem")).toHaveText(["Hook 22 files", "Body 12 files"]);
  await parts.getByRole("button", { name: "Reject all 2 files with Body 1" }).click();
  await expect(page.getByRole("dialog", { name: "Reject 2 files" })).toContainText("With Body 1");
  await page.getByRole("textbox", { name: "Reason" }).fill("Too long");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Rejected 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Approved 1" })).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByRole("button", { name: "Approved 2" })).toBeVisible();
  await expectAccessible(page, "review of an assembled job");
  expect(errors).toEqual([]);
});

// spec 2.16.1, 2.16.2, 2.16.3, 2.16.4, 2.16.5
test("100 files are reviewed by keyboard alone, and everyone sees the verdicts", async ({ page, context }) => {
  const FILES = 100;
  const job = await createJob(client, {
    job_name: "Hundred",
    input_videos: [twin.links("good")],
    // Files of the same caption share one encode.
    captions_enabled: true,
    custom_captions: ["One", "Two"],
    variants_per_video: FILES,
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${job.id}/review`);
  const other = await context.newPage();
  await signIn(other, clipmill.url);
  await other.goto(`${clipmill.url}/jobs/${job.id}/review?show=all`);
  await expect(other.getByText(`1 of ${FILES}`)).toBeVisible();

  const stage = page.getByRole("region", { name: "Files" });
  await expect(stage.locator("video:visible")).toHaveAttribute("aria-label", /^001-v1-/);
  await expect(page.getByText(/LUFS, peak −\d/)).toBeVisible();
  await page.bringToFront();
  // The file plays, pauses and steps by single frames.
  const video = stage.locator("video:visible");
  const time = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  if (await page.getByRole("button", { name: "Play", exact: true }).isVisible()) await page.keyboard.press("Space");
  await expect.poll(time).toBeGreaterThan(0.1);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  // On a busy machine it may have played to its end, where there is no next frame.
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 0.25;
  });
  await page.keyboard.press(".");
  const before = await time();
  await page.keyboard.press(",");
  expect(before - (await time())).toBeCloseTo(1 / 30, 3);

  // The file stays while someone else reviews it, and so does the typed reason.
  await page.keyboard.press("r");
  await page.getByRole("textbox", { name: "Reason" }).fill("Too dark");
  await other.bringToFront();
  await other.keyboard.press("a");
  // The dialog hides the rest of the page from assistive technology.
  await expect(page.getByRole("button", { name: "Approved 1", includeHidden: true })).toBeVisible();
  await other.keyboard.press("u");
  await expect(page.getByRole("button", { name: "Approved 0", includeHidden: true })).toBeVisible();
  await page.bringToFront();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("Too dark");
  await page.keyboard.press("Escape");

  for (let n = 1; n <= FILES; n += 1) {
    await expect(stage.locator("video:visible")).toHaveAttribute("aria-label", new RegExp(`^001-v${n}-`));
    if (n % 10 !== 0) await page.keyboard.press("a");
    else if (n === 20) await page.keyboard.press("Shift+R");
    else {
      await page.keyboard.press("r");
      await expect(page.getByRole("textbox", { name: "Reason" })).toBeFocused();
      await page.keyboard.type("Cut too early");
      await page.keyboard.press("Enter");
    }
  }
  await expect(page.getByText("All files are reviewed")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Reviewed files" })).toHaveAttribute("aria-valuenow", "100");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const { data } = await client.from("job_outputs").select("verdict,reason").eq("job_id", job.id);
  const countOf = (verdict: string) => data!.filter((row) => row.verdict === verdict).length;
  expect([countOf("approved"), countOf("rejected")]).toEqual([90, 10]);
  expect(new Set(data!.map(({ reason }) => reason as string | null))).toEqual(new Set([null, "Cut too early"]));

  // The other tab has all verdicts, and one given there arrives here.
  await expect(other.getByRole("button", { name: "Approved 90" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Rejected 10" })).toBeVisible();
  await other.bringToFront();
  await other.keyboard.press("r");
  await expect(other.getByRole("textbox", { name: "Reason" })).toBeFocused();
  await other.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Rejected 11" })).toBeVisible();
  await other.keyboard.press("u");
  await expect(page.getByRole("button", { name: "Rejected 10" })).toBeVisible();

  await page.bringToFront();
  await page.keyboard.press("u");
  await expect(stage.locator("video:visible")).toHaveAttribute("aria-label", /^001-v100-/);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Approve 1 other file" }).click();
  await expect(page.getByText("All files are reviewed")).toBeVisible();
  await page.keyboard.press("u");
  await expect(stage.locator("video:visible")).toHaveAttribute("aria-label", /^001-v100-/);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Review shortcuts" })).toBeVisible();
  await expectAccessible(page, "keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expectComparable(page);
  await page.keyboard.press("v");
  await expect(stage.locator("video:visible")).toHaveCount(6);
  await page.keyboard.press("s");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expectAccessible(page, `review at ${width} px`);
  }
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("button", { name: "Approved 91" })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download zip" }).click();
  expect((await download).suggestedFilename()).toBe(`${job.id}-approved.zip`);

  await page.getByRole("button", { name: "Make again…" }).click();
  await expect(page.getByText("9 files will be made again.")).toBeVisible();
  await page.getByRole("button", { name: "Start job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Hundred (Again)" })).toBeVisible();
  const { input_videos: links, rows } = await readJob(client, page.url().split("/").at(-1)!);
  expect(links).toHaveLength(9);
  // The rejected variants had the second caption.
  expect(new Set(rows!.map(({ settings }) => settings?.custom_captions?.join()))).toEqual(new Set(["One"]));
  expect(errors).toEqual([]);
});

/** Expects that a file and its source play in step, frame by frame, with one sound. */
async function expectComparable(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Compare" });
  await dialog.getByRole("combobox", { name: "Right" }).click();
  await page.getByRole("option", { name: "Source" }).click();
  const videos = dialog.locator("video");
  await expect(videos.nth(1)).toHaveAttribute("src", /\/downloads\/sources\//);
  const read = () =>
    videos.evaluateAll((all: HTMLVideoElement[]) =>
      all.map(({ currentTime, muted, readyState }) => ({ currentTime, muted, readyState })),
    );
  await expect.poll(async () => (await read()).every(({ readyState }) => readyState >= 3)).toBe(true);
  await dialog.getByRole("button", { name: "Play" }).click();
  await expect.poll(async () => (await read())[1]!.currentTime).toBeGreaterThan(0.2);
  // The player corrects drift ten times a second.
  const apart = async () => {
    const [left, right] = await read();
    return Math.abs(left!.currentTime - right!.currentTime);
  };
  await expect.poll(apart).toBeLessThan(0.1);
  expect((await read()).map(({ muted }) => muted)).toEqual([false, true]);
  await dialog.getByRole("button", { name: "Next frame" }).click();
  const [first, second] = await read();
  expect(second!.currentTime).toBeCloseTo(first!.currentTime, 3);
  await dialog.getByText("Right audio").click();
  await dialog.getByText("Wipe", { exact: true }).click();
  await dialog.getByRole("slider", { name: "Wipe" }).fill("20");
  expect((await read()).map(({ muted }) => muted)).toEqual([true, false]);
  await expectAccessible(page, "compare");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}
