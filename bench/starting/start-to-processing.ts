/** Time from the click on Start to the first "Processing" on screen, compared with a single call to the same server. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { describeTimes, medianOf } from "../support/times.ts";
import { startClipmill } from "../support/start-clipmill.ts";

const RUNS = 5;

await findWebApp(() => console.log("Building the web app first."));
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-"));
const twin = await startDriveTwin();
const clip = path.join(folder, "clip.mp4");
await makeClip(clip, { width: 360, height: 640, seconds: 4 });
twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
const clipmill = await startClipmill(path.join(folder, "data"), twin.environment);
const browser = await chromium.launch(launchOptions(findBrowser()));
const page = await browser.newPage();
await page.goto(clipmill.url);
await page.getByLabel("Email").fill(EMAIL);
await page.getByLabel("Password").fill(PASSWORD);
await page.getByRole("button", { name: "Sign In" }).click();
await page.getByRole("link", { name: "Create New Job" }).waitFor();

const calls: number[] = [];
const starts: number[] = [];
for (let run = 0; run < RUNS; run++) {
  calls.push(
    await page.evaluate(async () => {
      const from = performance.now();
      await fetch("/health");
      return performance.now() - from;
    }),
  );
  await page.getByRole("link", { name: "Create Jobs" }).click();
  await page.getByLabel("Job name").fill(`Run ${run + 1}`);
  await page.getByLabel("Video links").fill(twin.links("clip"));
  await page.getByRole("switch", { name: "Captions" }).check();
  await page.getByRole("textbox", { name: "Captions" }).fill("A caption");
  const from = performance.now();
  await page.getByRole("button", { name: "Start Processing" }).click();
  await page.getByText(/^Processing video 1\/1/).waitFor();
  starts.push(performance.now() - from);
  await page.getByText("Processing completed!").waitFor();
  await page.getByRole("link", { name: "Dashboard" }).click();
}
await browser.close();
await clipmill.stop();
await twin.close();
await rm(folder, { recursive: true });
console.log(`Start to the first "Processing" on screen: ${describeTimes(starts)}`);
console.log(`Single call from the same page:            ${describeTimes(calls)}`);
console.log(`Ratio of the medians: ${(medianOf(starts) / medianOf(calls)).toFixed(1)}`);
