import path from "node:path";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { signIn } from "#tests/support/browser/screens.ts";

let twin: ClipTwin;
let bucket: S3Server;
let clipmill: ClipmillProcess;

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  twin.addClip("good");
  bucket = await startS3Server();
  clipmill = await startClipmillProcess(path.join(twin.folder, "data"), {
    ...twin.environment,
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
});

test("an output's thumbnail, playback and download come from the bucket, without console errors", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  const job = await createJob(client, { job_name: "From the bucket", input_videos: [twin.links("good")] });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  const made = page.getByRole("article", { name: "good.mp4" });
  const picture = made.locator("img").first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  const fromBucket = page.waitForResponse((response) => response.url().includes("response-content-type=video%2Fmp4"));
  await made.getByRole("button", { name: /^Play / }).click();
  const video = page.getByRole("dialog").locator("video");
  const response = await fromBucket;
  expect([new URL(response.url()).origin, response.status()]).toEqual([bucket.location.endpoint, 206]);
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
  expect(errors).toEqual([]);
});
