import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openDashboard } from "#tests/support/browser/screens.ts";

const NOT_SHARED = /This Google Drive file is not shared/;

let folder: string;
let twin: DriveTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-history-"));
  twin = await startDriveTwin();
  const file = path.join(folder, "clip.mp4");
  await makeClip(file, { width: 180, height: 320, seconds: 1 });
  const clip = { path: file, name: "clip.mp4", mimeType: "video/mp4" };
  twin.add({ ...clip, id: "good" });
  twin.add({ ...clip, id: "held", behaviour: { kind: "gated" } });
  twin.add({ ...clip, id: "private", behaviour: { kind: "notShared" } });
  clipmill = await startInstalledClipmill(path.join(folder, "data"), twin.environment);
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
  await rm(folder, { recursive: true, force: true });
});

// spec 2.8.7, 4.4.1, 4.4.3, 4.5.1, 4.5.2, 4.5.3, 8.29
test("a running job can be canceled from the history after confirmation, and its rerun is listed first", async ({
  page,
}) => {
  const errors = await openDashboard(page, clipmill.url);
  await openHistory(page);
  const job = await createJob(client, { job_name: "Harbor cut", input_videos: [twin.links("held")] });
  const row = rowOf(page, "Harbor cut");
  await expect(row.getByText("Processing", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: "Rerun" })).toBeDisabled();

  await row.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Cancel this job?" });
  await dialog.getByRole("button", { name: "Keep running" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await readJob(client, job.id)).status).toBe("Processing");

  await row.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Cancel job" }).click();
  await expect(row.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(row).toContainText("Job cancelled by user");
  await expect(page.getByText("The job has been successfully cancelled.")).toBeVisible();
  expect(await readJob(client, job.id)).toMatchObject({
    status: "Cancelled",
    error_message: "Job cancelled by user",
  });

  // A double click creates one job, not two.
  await row.getByRole("button", { name: "Rerun" }).dblclick();
  await expect(page.getByText("The job has been queued for processing.").first()).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText("Harbor cut (Rerun)");
  twin.release("held");
  await expect(rowOf(page, "Harbor cut (Rerun)").getByText("Completed", { exact: true })).toBeVisible();
  const { data } = await client.from("jobs").select("*");
  expect((data as Job[]).map(({ job_name: name }) => name).toSorted()).toEqual(["Harbor cut", "Harbor cut (Rerun)"]);
  expect(errors).toEqual([]);
});

// spec 2.3.12
test("the dashboard follows a job from start to completion without a reload", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  const active = page.getByRole("main").getByText("none processing or queued");
  await expect(active).toBeVisible();
  hold("dashboard");
  await createJob(client, { job_name: "Seen live", input_videos: [twin.links("good"), twin.links("dashboard")] });
  const row = rowOf(page, "Seen live");
  await expect(row.getByText("Processing", { exact: true })).toBeVisible();
  await expect(row.getByText("2/2", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText("1 processing", { exact: true })).toBeVisible();
  twin.release("dashboard");
  await expect(row.getByText("Completed", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: "Download zip" })).toBeVisible();
  await expect(active).toBeVisible();
  expect(errors).toEqual([]);
});

// spec 5.2
test("the job's page shows why a video failed and plays the outputs", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  const videos = [twin.links("good"), twin.links("private")];
  const job = await createJob(client, { job_name: "One of two", input_videos: videos });
  await expect.poll(() => hasEnded(client, job.id)).toBe(true);
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "One of two" })).toBeVisible();

  const failed = page.getByRole("article", { name: twin.links("private") });
  await expect(failed.getByText("Failed", { exact: true })).toBeVisible();
  await expect(failed.getByText(NOT_SHARED)).toBeVisible();
  const made = page.getByRole("article", { name: "clip.mp4" });
  await expect(made.getByText("1 of 1 file", { exact: true })).toBeVisible();

  const media = page.waitForResponse((response) => response.url().includes("/downloads/outputs/"));
  await made.getByRole("button", { name: /^Play / }).click();
  const video = page.getByRole("dialog").locator("video");
  const response = await media;
  expect(response.status()).toBe(206);
  expect(response.headers()["content-type"]).toBe("video/mp4");
  // Duration and size come from the loaded metadata.
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.duration)).toBeCloseTo(1, 0);
  expect(await video.evaluate((player: HTMLVideoElement) => [player.videoWidth, player.videoHeight])).toEqual([
    180, 320,
  ]);
  await page.keyboard.press("Escape");
  await expect(video).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("changes during a lost connection appear once it is restored", async ({ page, context }) => {
  const errors = await openDashboard(page, clipmill.url);
  await openHistory(page);
  hold("cut");
  const running = await createJob(client, { job_name: "Runs on", input_videos: [twin.links("cut")] });
  await expect(rowOf(page, "Runs on").getByText("Processing", { exact: true })).toBeVisible();
  await context.setOffline(true);
  const notice = page.getByRole("banner").getByText("Reconnecting...");
  await expect(notice).toBeVisible();
  twin.release("cut");
  await expect.poll(() => hasEnded(client, running.id)).toBe(true);
  await createJob(client, { job_name: "Made meanwhile", input_videos: [twin.links("good")] });
  await expect(rowOf(page, "Runs on").getByText("Processing", { exact: true })).toBeVisible();
  await expect(rowOf(page, "Made meanwhile")).toHaveCount(0);

  await context.setOffline(false);
  await expect(rowOf(page, "Made meanwhile")).toBeVisible({ timeout: 30_000 });
  await expect(notice).toHaveCount(0);
  await expect(rowOf(page, "Runs on").getByText("Completed", { exact: true })).toBeVisible();
  expect(errors.filter((error) => !isLostConnection(error))).toEqual([]);
});

test("an open page recovers automatically when Clipmill restarts", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  await openHistory(page);
  await page.getByRole("complementary").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  await clipmill.kill();
  // A list requested while the server is down shows an error and recovers without a click.
  await openHistory(page);
  await page.getByRole("searchbox", { name: "Search jobs" }).fill("restart");
  await expect(page.getByRole("main").getByText("Error loading jobs")).toBeVisible();
  clipmill = await startClipmillProcess(path.join(folder, "data"), {
    ...twin.environment,
    PORT: new URL(clipmill.url).port,
  });
  client = await signedInClient(clipmill.url);
  await createJob(client, { job_name: "After the restart", input_videos: [twin.links("good")] });
  const row = rowOf(page, "After the restart");
  await expect(row).toBeVisible({ timeout: 30_000 });
  await expect(row.getByText("Completed", { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(errors.filter((error) => !isLostConnection(error))).toEqual([]);
});

async function openHistory(page: Page): Promise<void> {
  await page.getByRole("complementary").getByRole("link", { name: "Job History" }).click();
  await expect(page.getByRole("heading", { name: "Job History" })).toBeVisible();
}

function rowOf(page: Page, name: string) {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** Adds a video whose download stops halfway until released. */
function hold(id: string): void {
  const name = `${id}.mp4`;
  twin.add({ id, path: path.join(folder, "clip.mp4"), name, mimeType: "video/mp4", behaviour: { kind: "gated" } });
}

/** The screens handle these errors, which the browser logs. */
function isLostConnection(error: string): boolean {
  // 503: the port is open before Clipmill is ready.
  return /status of 503|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_(?:REFUSED|RESET|CLOSED)|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|WebSocket connection to .* failed|Failed to load dashboard data/.test(
    error,
  );
}
