/** Films and pictures that the browser gets from the bucket itself. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { createJob, hasEnded, signedInClient } from "#tests/support/client.ts";
import { type ClipmillProcess, EMAIL, PASSWORD, startClipmillProcess } from "#tests/support/clipmill-process.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/google-drive-twin.ts";
import { makeClip } from "#tests/support/make-clip.ts";
import { type S3Server, startS3Server } from "#tests/support/s3-server.ts";
import { watchConsole } from "#tests/support/watch-console.ts";

let folder: string;
let twin: DriveTwin;
let bucket: S3Server;
let clipmill: ClipmillProcess;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-presigned-"));
  twin = await startDriveTwin();
  const file = path.join(folder, "clip.mp4");
  await makeClip(file, { width: 180, height: 320, seconds: 1 });
  twin.add({ path: file, name: "clip.mp4", mimeType: "video/mp4", id: "good" });
  bucket = await startS3Server();
  clipmill = await startClipmillProcess(path.join(folder, "data"), {
    GOOGLE_API_BASE_URL: twin.url,
    GOOGLE_DOWNLOAD_BASE_URL: twin.url,
    STORAGE_URL: `s3://${bucket.location.bucket}/films?endpoint=${bucket.location.endpoint}`,
    STORAGE_DOWNLOADS: "presigned",
    AWS_ACCESS_KEY_ID: process.env["AWS_ACCESS_KEY_ID"]!,
    AWS_SECRET_ACCESS_KEY: process.env["AWS_SECRET_ACCESS_KEY"]!,
  });
});

test.afterAll(async () => {
  await clipmill.stop();
  await bucket.close();
  await twin.close();
  await rm(folder, { recursive: true, force: true });
});

async function signIn(page: Page): Promise<string[]> {
  const faults = watchConsole(page);
  await page.goto(clipmill.url);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  return faults;
}

test("a finished film shows its picture, plays and is saved from the bucket, with nothing on the console", async ({
  page,
}) => {
  const client = await signedInClient(clipmill.url);
  const job = await createJob(client, { job_name: "From the bucket", input_videos: [twin.links("good")] });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const faults = await signIn(page);
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  const made = page.getByRole("article", { name: "clip.mp4" });
  const picture = made.locator("img").first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  const fromBucket = page.waitForResponse((answer) => answer.url().includes("response-content-type=video%2Fmp4"));
  await made.getByRole("button", { name: /^Play / }).click();
  const video = page.getByRole("dialog").locator("video");
  const answer = await fromBucket;
  expect([new URL(answer.url()).origin, answer.status()]).toEqual([bucket.location.endpoint, 206]);
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.ended)).toBe(true);
  expect(await video.evaluate((player: HTMLVideoElement) => [player.videoWidth, player.videoHeight])).toEqual([
    180, 320,
  ]);
  await page.keyboard.press("Escape");
  await expect(video).toHaveCount(0);

  const saving = page.waitForEvent("download");
  await made.getByRole("link", { name: /^Download / }).click();
  const saved = await saving;
  expect(new URL(saved.url()).origin).toBe(bucket.location.endpoint);
  expect(await saved.failure()).toBeNull();
  expect(saved.suggestedFilename()).toMatch(/\.mp4$/);
  expect(faults).toEqual([]);
});
