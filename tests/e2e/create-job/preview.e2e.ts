import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import {
  captionsOf,
  fillVideoLinks,
  openAdvanced,
  openCaptionLook,
  openJobScreen,
  unexpectedErrors,
  writeVideoLinks,
} from "#tests/support/browser/job-screen.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { framePixels, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";

const CAPTION = "Wait for the pour";

let folder: string;
let drive: DriveTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-preview-"));
  drive = await startDriveTwin();
  const file = path.join(folder, "clip.mp4");
  // These colors need conversion. JPEG and H.264 position chroma differently, which shows at hard edges.
  await makeClip(file, { width: 360, height: 640, seconds: 2, outputOptions: ["-colorspace", "smpte170m"] });
  const facts = { path: file, name: "clip.mp4", mimeType: "video/mp4" };
  drive.add({ ...facts, id: "clip" });
  drive.add({ ...facts, id: "clip-2" });
  drive.add({ ...facts, id: "private", behaviour: { kind: "notShared" } });
  const spoken = path.join(folder, "spoken.mp4");
  await makeRecording(spoken, { language: "fr", pauses: [2], noiseDb: -24 });
  drive.add({ ...facts, id: "spoken", path: spoken });
  clipmill = await startInstalledClipmill(path.join(folder, "data"), drive.environment);
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await drive.close();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("the preview has the same pixels as the job's output, even while jobs keep the machine busy", async ({ page }) => {
  const link = drive.links("clip");
  const input = { captions_enabled: true, custom_captions: [CAPTION], caption_style: "box", caption_position: "top" };
  const mark = { watermark_enabled: true, watermark_text: "@clipmill" };
  const job = await createJob(client, { input_videos: [link], ...input, ...mark, quality: "high" });
  await fillVideoLinks(page, link);
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill(CAPTION);
  await openCaptionLook(page);
  await page.getByText("Box", { exact: true }).click();
  await page.getByText("Top", { exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "Watermark" }).check();
  await page.getByLabel("Watermark text").fill("@clipmill");
  const picture = page.getByRole("img", {
    name: `Video 1 with the caption "${CAPTION}" and the watermark "@clipmill"`,
  });
  // It waits its turn behind the job's encoders.
  await expect(picture).toBeVisible({ timeout: 60_000 });
  await expect(screenOf(page)).toHaveAttribute("data-preview", "ready");
  const shown = await savePicture(picture, "shown.jpg");
  await expect.poll(() => hasEnded(client, job.id), { timeout: 120_000 }).toBe(true);
  const { data } = await client.from("job_outputs").select("media_url").eq("job_id", job.id).single();
  const made = await framePixels(new URL(data!.media_url as string, clipmill.url).href, 1);
  expect(shareOfDifferentPixels(await framePixels(shown, 0), made, 40)).toBeLessThan(0.005);
  // Cross-check: without the texts, the picture differs.
  await page.getByRole("switch", { name: "Captions", exact: true }).uncheck();
  await page.getByRole("switch", { name: "Watermark" }).uncheck();
  const bare = page.getByRole("img", { name: "Video 1", exact: true });
  await expect(bare).toBeVisible();
  await expect(screenOf(page)).toHaveAttribute("data-preview", "ready");
  const without = await framePixels(await savePicture(bare, "bare.jpg"), 0);
  expect(shareOfDifferentPixels(without, made, 40)).toBeGreaterThan(0.01);
});

test("before Start, the form shows captions that are too long and characters that no font has", async ({ page }) => {
  await page.getByLabel("Job name").fill("Letters");
  await fillVideoLinks(page, drive.links("clip"));
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill(`go ᚠᚢ\n${"Three sips in and the inbox looks smaller. ".repeat(12)}`);
  const start = page.getByRole("button", { name: "Start Processing" });
  await expect(page.getByText("Caption 1 will be drawn without ᚠ ᚢ: no font supports them.")).toBeVisible();
  await expect(
    page.getByText(/Caption 2 has 515 characters, and about \d+ fit on a vertical video\./).first(),
  ).toBeVisible();
  await expect(start).toBeDisabled();
  await openCaptionLook(page);
  await page.getByText("Middle", { exact: true }).click();
  await expect(start).toBeEnabled();
  await expectAccessible(page, "a form with captions that are too long");
});

test("the preview is requested after a pause in typing, and the layout stays still", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/functions/v1/preview")) asked.push(request.postData() ?? "");
  });
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await expect(page.getByText("Add a video or a caption to see it here.")).toBeVisible();
  // Collapsed while there is nothing to show.
  expect((await screenOf(page).boundingBox())!.height).toBeLessThan(100);
  const places = () => Promise.all([screenOf(page).boundingBox(), page.getByText("Length").boundingBox()]);
  await captionsOf(page).pressSequentially("Three sips in and the inbox looks smaller", { delay: 5 });
  await expect(page.getByRole("img", { name: /^A plain background with the caption "Three sips in/ })).toBeVisible();
  const full = await places();
  expect(asked.length).toBeLessThanOrEqual(3);
  await captionsOf(page).fill("First\nSecond\nThird");
  await expect(page.getByText("Caption 3 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next caption" }).click();
  await expect(page.getByText("Caption 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next caption" }).click();
  await expect(page.getByRole("img", { name: 'A plain background with the caption "Second"' })).toBeVisible();
  await page.getByRole("button", { name: "Previous caption" }).click();
  await page.getByRole("button", { name: "Previous caption" }).click();
  await expect(page.getByRole("img", { name: 'A plain background with the caption "Third"' })).toBeVisible();
  expect(await places()).toEqual(full);
});

test("the preview shows the caption at the cursor and steps through the videos", async ({ page }) => {
  await fillVideoLinks(page, `${drive.links("clip")}\n${drive.links("clip-2")}`);
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill("First\n\nSecond\nThird");
  await expect(page.getByRole("img", { name: 'Video 1 with the caption "Third"' })).toBeVisible();
  await captionsOf(page).press("ArrowUp");
  await expect(page.getByRole("img", { name: 'Video 1 with the caption "Second"' })).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await expect(page.getByRole("img", { name: 'Video 1 with the caption "Second!"' })).toBeVisible();
  await captionsOf(page).press("Control+Home");
  await expect(page.getByRole("img", { name: 'Video 1 with the caption "First"' })).toBeVisible();

  await expect(page.getByText("Video 1 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Next video" }).click();
  await expect(page.getByRole("img", { name: 'Video 2 with the caption "First"' })).toBeVisible();
  await page.getByRole("button", { name: "Next video" }).click();
  await expect(page.getByRole("img", { name: 'Video 1 with the caption "First"' })).toBeVisible();
});

test("a video that is not shared shows the reason, and appears once it is shared", async ({ page }) => {
  await writeVideoLinks(page, drive.links("private"));
  const screen = screenOf(page);
  await expect(screen.getByRole("status")).toContainText(/shared/i);
  await expect(page.getByRole("img", { name: "A plain background" })).toBeVisible();
  await expectAccessible(page, "a preview with a reason");
  drive.add({ id: "private", path: path.join(folder, "clip.mp4"), name: "clip.mp4", mimeType: "video/mp4" });
  const picture = page.getByRole("img", { name: "Video 1" });
  await expect(async () => {
    if (await picture.isVisible()) return;
    // The picture may arrive first, and the button is gone then.
    await screen.getByRole("button", { name: "Try again" }).click({ timeout: 2_000 });
    await expect(picture).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
});

test("captions can be shown for a part of the video, and the scrub bar shows when", async ({ page }) => {
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill(CAPTION);
  await fillVideoLinks(page, drive.links("clip"));
  const time = page.getByRole("slider", { name: "Time" });
  await expect(time).toHaveCount(0);
  await openCaptionLook(page);
  await page.getByLabel("Shown from").fill("2");
  await page.getByLabel("Shown until").fill("1.5");
  await expect(page.getByText("Must be at least 0.1 s after 2")).toBeVisible();
  await page.getByLabel("Shown until").fill("5");
  await page.getByRole("radiogroup", { name: "Fade" }).getByText("200 ms").click();
  await expect(page.getByText("2 to 5 s, fading", { exact: true })).toBeVisible();
  await expect(page.getByRole("img", { name: `Video 1 with the caption "${CAPTION}"` })).toBeVisible();
  await expectAccessible(page, "captions for a part of the video");
  await time.fill("5");
  await expect(page.getByRole("img", { name: "Video 1", exact: true })).toBeVisible();
  await expect(time).toHaveAttribute("aria-valuetext", "5.0 s, without caption");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
});

test("without a connection the preview shows an error, and Try again loads it", async ({ page }) => {
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await expect(page.getByText("Add a video or a caption to see it here.")).toBeVisible();
  await page.route("**/functions/v1/preview", (route) => route.abort("connectionrefused"));
  await captionsOf(page).fill(CAPTION);
  const alert = screenOf(page).getByRole("alert");
  await expect(alert).toContainText("The server could not be reached. Check your connection and try again.");
  await expectAccessible(page, "a preview that failed");
  await page.unroute("**/functions/v1/preview");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("img", { name: `A plain background with the caption "${CAPTION}"` })).toBeVisible();
});

test("on a phone, a thumbnail in the bar opens the full preview, and closing returns the focus", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await writeVideoLinks(page, drive.links("clip"));
  const peek = page.getByRole("button", { name: "Preview" });
  await expect(peek.locator("img")).toBeVisible();
  await expectNoOverflow(page);
  await peek.click();
  const sheet = page.getByRole("dialog", { name: "Preview" });
  await expect(sheet.getByRole("img", { name: "Video 1" })).toBeVisible();
  await expectAccessible(page, "the preview on a phone");
  await expectNoOverflow(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(peek).toBeFocused();
});

const screenOf = (page: Page): Locator =>
  page.getByRole("complementary", { name: "Plan" }).locator("[aria-busy]").first();

async function savePicture(picture: Locator, name: string): Promise<string> {
  const source = (await picture.getAttribute("src"))!;
  const file = path.join(folder, name);
  await writeFile(file, Buffer.from(source.replace("data:image/jpeg;base64,", ""), "base64"));
  return file;
}

test("the form shows how much silence is cut before the job starts, and the job cuts as much", async ({ page }) => {
  await page.getByLabel("Job name").fill("Without silences");
  await openAdvanced(page);
  const cut = page.getByRole("switch", { name: "Cut silences" });
  await expect(page.getByLabel("Silences longer than")).toHaveCount(0);
  await cut.check();
  await expect(page.getByLabel("Silences longer than")).toHaveValue("500");
  await expect(page.getByText("Add a video to see how much is cut.")).toBeVisible();
  await fillVideoLinks(page, drive.links("absent"));
  await page.getByRole("button", { name: "Check the first video" }).click();
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  await fillVideoLinks(page, drive.links("spoken"));
  const status = page.getByText(/^\d+\.\d of \d+\.\d s are cut from the first video\.$/);
  await expect(status).toBeVisible();
  await page.getByLabel("Kept around speech").fill("400");
  const before = await status.textContent();
  await expect(status).not.toHaveText(before!);
  const [cutSeconds, seconds] = (await status.textContent())!.match(/[\d.]+/g)!.map(Number);
  const fillers = page.getByRole("switch", { name: "Cut fillers" });
  await fillers.check();
  await expect(page.getByText("Needs transcription. Set it up in Settings.")).toBeVisible();
  await expectAccessible(page, "silences");
  await expectNoOverflow(page);
  await fillers.uncheck();

  const created = page.waitForResponse((response) => response.url().endsWith("/functions/v1/jobs"));
  await page.getByRole("button", { name: "Start Processing" }).click();
  const { id: jobId } = ((await (await created).json()) as { data: { id: string } }).data;
  await expect.poll(() => hasEnded(client, jobId)).toBe(true);
  const { data } = await client.from("job_outputs").select("duration_seconds").eq("job_id", jobId);
  expect(Math.abs(data![0]!.duration_seconds - (seconds! - cutSeconds!))).toBeLessThan(0.2);
  await page.goto(`${clipmill.url}/jobs/${jobId}`);
  await expect(page.getByText("500 ms")).toBeAttached();

  await openJobScreen(page, clipmill.url);
  await openAdvanced(page);
  await cut.uncheck();
  await expect(page.getByLabel("Silences longer than")).toHaveCount(0);
});
