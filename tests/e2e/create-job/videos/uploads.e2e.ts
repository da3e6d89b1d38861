/** Covers files dropped on the job screen: progress, cancel, failure, retry, cleanup. */
import { readdir, readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { LibraryResponse } from "#contract/calls.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import {
  addFrom,
  DRIVE,
  expectError,
  expectVideos,
  fillVideoLinks,
  openAdvanced,
  openJobScreen,
  startOf,
  toastOf,
  unexpectedErrors,
} from "#tests/support/browser/job-screen.ts";
import { dropFiles, transferOf } from "#tests/support/browser/drop-files.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-uploads-"));
  await makeClip(path.join(folder, "beach.mp4"), { width: 180, height: 320, seconds: 1 });
  await makeClip(path.join(folder, "street.mp4"), { width: 180, height: 320, seconds: 1, color: "green" });
  await makeTone(path.join(folder, "song.mp3"), { frequencyHz: 440, seconds: 2 });
  await writeFile(path.join(folder, "logo.png"), makePng(60, 20, [220, 40, 60, 255]));
  await writeFile(path.join(folder, "list.csv"), "link,caption\nhttps://drive.google.com/file/d/a1/view,One\n");
  await writeFile(path.join(folder, "notes.mp4"), "No video in here. ".repeat(100));
  clipmill = await startInstalledClipmill(path.join(folder, "data"));
  client = await signedInClient(clipmill.url);
  await expect.poll(async () => (await library()).isReady, { timeout: 60_000 }).toBe(true);
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("a video dropped anywhere is added as a link, and a job can be created from it", async ({ page }) => {
  await drop(page.getByRole("heading", { name: "Create Video Job" }), ["beach.mp4"]);
  await expect(videoLinks(page)).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]{22}$/);
  await expect(videoOf(page, "beach.mp4")).toBeVisible();
  await expectVideos(page, 1);
  await page.getByLabel("Job name").fill("From the beach");
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id").eq("job_name", "From the beach").single();
  await expect.poll(() => hasEnded(client, data!.id as string), { timeout: 60_000 }).toBe(true);
  expect(await readJob(client, data!.id as string)).toMatchObject({ status: "Completed", error_message: null });
  await expect(videoLinks(page)).toHaveValue("");
  await expect(videoOf(page, "beach.mp4")).toHaveCount(0);
});

test("dragging a file over the page shows what dropping it will do", async ({ page }) => {
  const transfer = await transferOf(page, inFolder(["beach.mp4"]));
  await page.getByRole("heading", { name: "Create Video Job" }).dispatchEvent("dragover", { dataTransfer: transfer });
  await expect(page.getByText("Drop to upload to the library")).toBeVisible();
  await page.getByRole("heading", { name: "Background Music" }).dispatchEvent("dragover", { dataTransfer: transfer });
  await expect(page.getByText("Drop to upload as music")).toBeVisible();
  await page.locator("body").dispatchEvent("dragleave");
  await expect(page.getByText(/^Drop to upload/)).toHaveCount(0);
  const table = await transferOf(page, inFolder(["list.csv"]));
  await page.getByRole("heading", { name: "Background Music" }).dispatchEvent("dragover", { dataTransfer: table });
  await expect(page.getByText("Drop to read as a table of videos")).toBeVisible();
  await page.goto(clipmill.url);
  const label = "Paste links or drop files to start a job";
  const dropped = await transferOf(page, inFolder(["list.csv"]));
  await page.getByLabel(label).dispatchEvent("dragover", { dataTransfer: dropped });
  await expect(page.getByText("Drop to start a job with this table of videos")).toBeVisible();
  await page.getByLabel(label).dispatchEvent("drop", { dataTransfer: dropped });
  await expect(page.getByRole("dialog")).toContainText("list.csv");
});

test("audio files, and files dropped on the music section, are added as music and switch it on", async ({ page }) => {
  await drop(page.getByRole("heading", { name: "Create Video Job" }), ["song.mp3", "street.mp4"]);
  await expect(page.getByRole("switch", { name: "Background Music" })).toBeChecked();
  await expect(audioLinks(page)).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]+$/);
  await expect(videoLinks(page)).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]+$/);
  // The sound of a video dropped on the music section is used.
  await drop(page.getByRole("heading", { name: "Background Music" }), ["beach.mp4"]);
  await expect.poll(async () => (await audioLinks(page).inputValue()).split("\n").length).toBe(2);
  expect((await videoLinks(page).inputValue()).split("\n")).toHaveLength(1);
});

test("an upload of music turns the section on, which can be turned off again to start without it", async ({ page }) => {
  await videoLinks(page).fill("https://drive.google.com/file/d/1x8Qm4tB0vYf/view");
  await page.getByLabel("Job name").fill("Without the music");
  const sending = Promise.withResolvers<void>();
  await page.route("**/uploads?*", async (route) => {
    await sending.promise;
    await route.continue();
  });
  const music = page.getByRole("switch", { name: "Background Music" });
  await drop(page.getByRole("heading", { name: "Background Music" }), ["song.mp3"]);
  await expect(rowOf(page, "song.mp3")).toBeVisible();
  await expect(music).toBeChecked();
  await expect(startOf(page)).toBeDisabled();
  await music.uncheck();
  await expect(startOf(page)).toBeEnabled();
  sending.resolve();
  const draft = () => page.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(draft).toContain("https://clipmill.local/file/d/");
  await expect(music).not.toBeChecked();
  await music.check();
  await expect(audioLinks(page)).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]+$/);
});

test("videos are listed in the order in which they were chosen, whichever arrives first", async ({ page }) => {
  const beach = Promise.withResolvers<void>();
  await page.route("**/uploads?name=beach.mp4*", async (route) => {
    await beach.promise;
    await route.continue();
  });
  await drop(page.getByRole("heading", { name: "Create Video Job" }), ["beach.mp4", "street.mp4"]);
  const names = () =>
    page
      .getByRole("grid", { name: "Videos" })
      .getByText(/^(beach|street)\.mp4$/)
      .allTextContents();
  await expect.poll(names).toEqual(["street.mp4"]);
  beach.resolve();
  await expect.poll(names).toEqual(["beach.mp4", "street.mp4"]);
});

test("an upload shows its progress, and a canceled one leaves no file behind", async ({ page }) => {
  const before = await filesOnDisk();
  const link = "https://drive.google.com/file/d/1x8Qm4tB0vYf/view";
  await videoLinks(page).fill(link);
  await page.getByLabel("Job name").fill("Not before its upload");
  await expect(startOf(page)).toBeEnabled();
  await slowDown(page, 400_000);
  await choose(page, { name: "long.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(6_000_000, 7) });
  const progress = page.getByRole("progressbar", { name: "Upload of long.mp4" });
  await expect.poll(async () => Number(await progress.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
  expect(Number(await progress.getAttribute("aria-valuenow"))).toBeLessThan(100);
  await expect.poll(filesOnDisk).toHaveLength(before.length + 1);
  await expect(startOf(page)).toBeDisabled();
  await expect(page.getByText("1 upload is not finished.").filter({ visible: true })).toHaveCount(1);
  await page.getByRole("button", { name: "Cancel long.mp4" }).click();
  await expect(rowOf(page, "long.mp4")).toHaveCount(0);
  await expect(startOf(page)).toBeEnabled();
  await expect.poll(filesOnDisk).toEqual(before);
  await expect(videoLinks(page)).toHaveValue(link);
});

test("a file that is not a video shows an error, and other files are added", async ({ page }) => {
  await page.getByLabel("Video files").setInputFiles([path.join(folder, "notes.mp4"), path.join(folder, "beach.mp4")]);
  await expect(rowOf(page, "notes.mp4").getByRole("alert")).toHaveText("This file is not a video.");
  await expect(rowOf(page, "notes.mp4").getByRole("button", { name: "Retry" })).toHaveCount(0);
  await expect(videoOf(page, "beach.mp4")).toBeVisible();
  expect((await videoLinks(page).inputValue()).split("\n")).toHaveLength(1);
  await expectAccessible(page, "uploads that failed and were added");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.getByRole("button", { name: "Dismiss notes.mp4" }).click();
  await expect(rowOf(page, "notes.mp4")).toHaveCount(0);
});

test("a file over 2 GB is rejected before it is sent", async ({ page }) => {
  const isAsked: string[] = [];
  page.on(
    "request",
    (request) => request.method() !== "GET" && request.url().includes("/uploads") && isAsked.push(request.url()),
  );
  await page.getByRole("heading", { name: "Create Video Job" }).evaluate((target) => {
    const file = new File(["x"], "huge.mp4", { type: "video/mp4" });
    Object.defineProperty(file, "size", { value: 2 * 1024 ** 3 + 1 });
    const items = [{ getAsFile: () => file, webkitGetAsEntry: () => null }];
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } });
    target.dispatchEvent(event);
  });
  const sentence = "This file exceeds the 2 GB upload limit.";
  await expect(rowOf(page, "huge.mp4").getByRole("alert")).toHaveText(sentence);
  expect(isAsked).toEqual([]);
});

test("an upload interrupted by a lost connection can be retried", async ({ page, context }) => {
  await context.setOffline(true);
  await choose(page, path.join(folder, "beach.mp4"));
  const sentence = "The server could not be reached. Check your connection and try again.";
  await expect(rowOf(page, "beach.mp4").getByRole("alert")).toHaveText(sentence);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Retry beach.mp4" }).click();
  await expect(videoOf(page, "beach.mp4")).toBeVisible();
  errors = errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"));
});

test("an upload continues while other screens are open", async ({ page }) => {
  await slowDown(page, 60_000);
  await choose(page, path.join(folder, "street.mp4"));
  await expect(rowOf(page, "street.mp4")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
  await expect(videoLinks(page)).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]+$/);
});

test("earlier uploads and samples can be picked from the library", async ({ page }) => {
  await upload("street.mp4");
  await addFrom(page, "Choose from library");
  const dialog = page.getByRole("dialog", { name: "Library" });
  await dialog.getByRole("checkbox", { name: "street.mp4" }).check();
  await dialog.getByRole("checkbox", { name: "Mountain dusk.mp4" }).check();
  await expectAccessible(page, "the library");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("button", { name: "Add 2 files" }).click();
  await expectVideos(page, 2);
  await expect(page.getByRole("button", { name: "Edit as text" })).toBeFocused();
  // Files already in the field cannot be added twice, and only the first of many files are in the DOM.
  const { data } = await library();
  const video = data.find(({ kind }) => kind === "video")!;
  const copies = Array.from({ length: 5_000 }, (_, index) => ({
    ...video,
    id: `copy-${index}`,
    name: `${index}.mp4`,
    link: `${index}`,
  }));
  await page.route("**/functions/v1/library", (route) => route.fulfill({ json: { data: [...copies, ...data] } }));
  await addFrom(page, "Choose from library");
  await expect(dialog.getByText(/^5,0\d\d files$/)).toBeVisible();
  await expect(dialog.getByRole("list", { name: "Files" }).getByRole("listitem")).toHaveCount(300);
  await dialog.getByRole("searchbox").fill("dusk");
  await expect(dialog.getByRole("checkbox", { name: "Mountain dusk.mp4" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
});

test("an intro from the library is named, an end card can be a link, and both reach the job", async ({ page }) => {
  await page.getByLabel("Job name").fill("Around");
  await fillVideoLinks(page, `${DRIVE}/a/view`);
  await openAdvanced(page);
  const intro = page.getByRole("group", { name: "Intro" });
  const endCard = page.getByRole("group", { name: "End card" });
  await intro.getByRole("button", { name: "Choose from library" }).click();
  const dialog = page.getByRole("dialog", { name: "Library" });
  await dialog.getByRole("button", { name: "Use Mountain dusk.mp4" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(intro.getByRole("listitem")).toContainText("Mountain dusk.mp4");
  await intro.getByRole("button", { name: "Remove Mountain dusk.mp4" }).click();
  await intro.getByRole("button", { name: "Choose from library" }).click();
  await dialog.getByRole("button", { name: "Use Moonlit sea.mp4" }).click();
  await endCard.getByRole("textbox").fill("not a link");
  await startOf(page).click();
  await expect(toastOf(page, "Invalid End Card")).toContainText("The end card must be a link to a video");
  await endCard.getByRole("textbox").fill(`${DRIVE}/end/view`);
  await expectAccessible(page, "an intro and an end card");
  const created = page.waitForRequest((request) => request.url().endsWith("/functions/v1/jobs"));
  await startOf(page).click();
  const { data } = await library();
  const { link } = data.find(({ name }) => name === "Moonlit sea.mp4")!;
  expect((await created).postDataJSON()).toMatchObject({ intro_link: link, outro_link: `${DRIVE}/end/view` });
});

test("library files show names and pictures in search, selection, the field, and on the job's page", async ({
  page,
}) => {
  await addFrom(page, "Choose from library");
  const dialog = page.getByRole("dialog", { name: "Library" });
  await dialog.getByRole("searchbox", { name: "Search the library" }).fill("mOO");
  const found = dialog.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect(found).toHaveText([/^Moonlit sea\.mp4/]);
  await expectPictures(found.locator("img"), 1);
  await dialog.getByRole("searchbox").fill("nothing like it");
  await expect(dialog.getByText("No files found")).toBeVisible();
  await dialog.getByRole("button", { name: "Clear filters" }).click();
  await dialog.getByRole("searchbox").fill("n");
  await dialog.getByRole("checkbox", { name: "Select all results" }).check();
  const names = await dialog.getByRole("list", { name: "Files" }).getByRole("checkbox", { checked: true }).count();
  expect(names).toBeGreaterThan(1);
  await dialog.getByRole("button", { name: `Add ${names} files` }).click();
  await expect(videoOf(page, "Mountain dusk.mp4")).toBeVisible();
  await expectPictures(page.getByRole("grid", { name: "Videos" }).locator("img"), names);
  await expectAccessible(page, "named sources");

  const sea = (await library()).data.find(({ name }) => name === "Moonlit sea.mp4")!;
  const { id: jobId } = await createJob(client, { job_name: "By the sea", input_videos: [sea.link] });
  await page.goto(`${clipmill.url}/jobs/${jobId}`);
  const video = page.getByRole("article", { name: "Moonlit sea.mp4" });
  await expect(video).toContainText(/[01] of 1 file(?!s)/);
  await expectPictures(video.locator("header img"), 1);

  await page.goto(`${clipmill.url}/auto-caption`);
  await videoLinks(page).fill(`${sea.link}, ${sea.link}`);
  const sources = page.getByRole("list", { name: "Videos from the library" });
  await expect(sources.getByRole("listitem")).toHaveText([/^Moonlit sea\.mp4/]);
  await expectPictures(sources.locator("img"), 1);
  await videoLinks(page).fill("");
});

test("music plays in the field, the library and a set; external links open their site", async ({ page }) => {
  const drive = "https://drive.google.com/file/d/1x8Qm4tB0vYf/view";
  await makeTone(path.join(folder, "hum.wav"), { frequencyHz: 220, seconds: 20 });
  const { link } = await upload("hum.wav", "music");
  await client.from("audio_sets").insert({ name: "To be heard", audio_links: [link, drive] });
  await page.getByRole("switch", { name: "Background Music" }).check();
  await page.getByLabel("Audio links").fill(`${link}\n${drive}`);
  const tracks = page.getByRole("list", { name: "Tracks" });
  await tracks.getByRole("button", { name: "Play hum.wav" }).click();
  await tracks.getByRole("button", { name: "Stop hum.wav" }).click();
  await expect(tracks.getByRole("button", { name: "Play hum.wav" })).toBeVisible();
  const elsewhere = tracks.getByRole("link", {
    name: "Listen to Drive file 1x8Qm4tB0vYf on Google Drive, in a new tab",
  });
  await expect(elsewhere).toHaveAttribute("href", drive);
  await expect(elsewhere).toHaveAttribute("rel", "noopener noreferrer");
  await addFrom(page, "Choose from library", "music");
  await page.getByRole("dialog", { name: "Library" }).getByRole("button", { name: "Play hum.wav" }).click();
  await page.keyboard.press("Escape");
  await expect(tracks.getByRole("button", { name: "Play hum.wav" })).toBeVisible();
  await page.goto(`${clipmill.url}/audio-sets`);
  await page.getByRole("button", { name: "To be heard", exact: true }).click();
  const viewer = page.getByRole("dialog", { name: "To be heard" });
  await viewer.getByRole("button", { name: "Play hum.wav" }).click();
  await expect(viewer.getByRole("button", { name: "Stop hum.wav" })).toBeVisible();
  await expect(viewer.getByRole("link", { name: /^Listen to Drive file/ })).toHaveAttribute("href", drive);
});

test("an image dropped on the page becomes the watermark; its place is chosen with arrow keys", async ({ page }) => {
  await drop(page.getByRole("heading", { name: "Create Video Job" }), ["logo.png"]);
  await expect(page.getByRole("switch", { name: "Watermark" })).toBeChecked();
  const image = page.getByRole("list", { name: "Watermark image" });
  await expect(image).toContainText("logo.png");
  await expectPictures(image.locator("img"), 1);
  const preview = page.getByRole("img", { name: "A plain background with the watermark image" });
  await expect(preview).toBeVisible();

  await page.getByRole("button", { name: "Watermark look" }).click();
  const places = page.getByRole("radiogroup", { name: "Image position" });
  await expect(places.getByRole("radio", { name: "Top right" })).toBeChecked();
  await places.getByRole("radio", { name: "Top right" }).focus();
  // nothing is right of it
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
  await expect(places.getByRole("radio", { name: "Bottom", exact: true })).toBeFocused();
  await page.getByRole("slider", { name: "Image size" }).fill("0.5");
  await page.getByRole("slider", { name: "Image opacity" }).fill("0.8");
  await expectAccessible(page, "a watermark image");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");

  await drop(page.getByRole("heading", { name: "Watermark" }), ["notes.mp4"]);
  const failed = page.getByRole("list", { name: "Image uploads" }).getByRole("listitem");
  await expect(failed.getByRole("alert")).toHaveText("This file is not a PNG or WebP image.");
  await failed.getByRole("button", { name: "Dismiss notes.mp4" }).click();

  const { link } = await upload("beach.mp4");
  await videoLinks(page).fill(link);
  await page.getByLabel("Job name").fill("With a logo");
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  // unlike a text, a logo stays for the next job
  await expect(image).toContainText("logo.png");
  const { data } = await client.from("jobs").select("*").eq("job_name", "With a logo").single();
  const chosen = { watermark_position: "bottom", watermark_scale: 0.5, watermark_opacity: 0.8, watermark_text: null };
  expect(data).toMatchObject({ watermark_enabled: true, ...chosen });
  await expect.poll(() => hasEnded(client, data!.id as string), { timeout: 60_000 }).toBe(true);
  expect(await readJob(client, data!.id as string)).toMatchObject({ status: "Completed", error_message: null });
  await page.goto(`${clipmill.url}/jobs/${data!.id}`);
  await expect(page.getByText("logo.png, bottom, 50% width, 80% opacity")).toBeVisible();
});

test("an image is picked from the library; a deleted one is named, and a job with it is rejected", async ({ page }) => {
  const { id } = await upload("logo.png", "image");
  await page.getByRole("switch", { name: "Watermark" }).check();
  const section = page.locator('[data-drop="image"]');
  await addFrom(section, "Choose from library", "image");
  const dialog = page.getByRole("dialog", { name: "Library" });
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page, "the library of images");
  await dialog.getByRole("button", { name: "Use logo.png" }).click();
  await expect(section.getByRole("list", { name: "Watermark image" })).toContainText("logo.png");
  await client.functions.invoke("library", { body: { method: "DELETE", id } });
  await page.reload();
  await expect(section.getByRole("alert")).toHaveText("This image was deleted. Choose another one or remove it.");
  await videoLinks(page).fill("https://drive.google.com/file/d/1x8Qm4tB0vYf/view");
  await page.getByLabel("Job name").fill("Without its logo");
  await startOf(page).click();
  const reason = "The watermark image is no longer in the library. Choose another one or remove it";
  await expectError(page, "Watermark Image Not Found", reason);
  await section.getByRole("button", { name: "Remove Deleted library file" }).click();
  await expect(section.getByRole("radiogroup")).toHaveCount(0);
});

test("deleting a file needs confirmation, and is rejected while a job needs the file", async ({ page }) => {
  const { id, link } = await upload("beach.mp4");
  await createJob(client, { job_name: "Long", input_videos: [link], variants_per_video: 1 });
  const { data } = await client.from("jobs").select("id").eq("job_name", "Long").single();
  await expect.poll(() => hasEnded(client, data!.id as string), { timeout: 60_000 }).toBe(true);
  await addFrom(page, "Choose from library");
  const dialog = page.getByRole("dialog", { name: "Library" });
  await expect(dialog.getByRole("button", { name: "Delete beach.mp4" })).toBeVisible();
  const waiting = await holdBack(link);
  const ask = async () => {
    await dialog.getByRole("button", { name: "Delete beach.mp4" }).click();
    return page.getByRole("alertdialog", { name: "Delete beach.mp4?" });
  };
  await expect(await ask()).toContainText("1 running or waiting job needs this file.");
  await page.getByRole("button", { name: "Keep file" }).click();
  await (await ask()).getByRole("button", { name: "Delete file" }).click();
  const rejection = page.getByRole("dialog", { name: "File not deleted" });
  await expect(rejection).toContainText("1 running or waiting job needs this file:");
  await expect(rejection.getByRole("link", { name: "Waiting" })).toHaveAttribute("href", `/jobs/${waiting}`);
  await rejection.getByRole("button", { name: "Close" }).click();
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: waiting } });
  await expect.poll(() => hasEnded(client, waiting), { timeout: 60_000 }).toBe(true);
  await (await ask()).getByRole("button", { name: "Delete file" }).click();
  // The library has no role, and therefore no rows, while the confirmation is open.
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText("beach.mp4")).toHaveCount(0);
  expect((await library()).data.map((file) => file.id)).not.toContain(id);
});

test("a server killed during an upload removes the partial file when it restarts", async () => {
  const dataDir = path.join(folder, "killed");
  const first = await startInstalledClipmill(dataDir);
  const token = (await (await signedInClient(first.url)).auth.getSession()).data.session!.access_token;
  const request = http.request(`${first.url}/uploads?name=x.mp4`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-length": "1000000" },
  });
  request.on("error", () => {});
  request.write(Buffer.alloc(300_000));
  await expect.poll(() => readdir(path.join(dataDir, "uploads"))).toHaveLength(1);
  await first.kill();
  expect(await readdir(path.join(dataDir, "uploads"))).toHaveLength(1);
  const second = await startClipmillProcess(dataDir);
  try {
    expect(await readdir(path.join(dataDir, "uploads"))).toEqual([]);
  } finally {
    await second.stop();
  }
});

const videoLinks = (page: Page): Locator => page.getByLabel("Video links");
const audioLinks = (page: Page): Locator => page.getByLabel("Audio links");

function rowOf(page: Page, name: string): Locator {
  return page.getByRole("list", { name: "Uploads" }).getByRole("listitem").filter({ hasText: name });
}

function videoOf(page: Page, name: string): Locator {
  return page.getByRole("grid", { name: "Videos" }).getByRole("row").filter({ hasText: name });
}

async function choose(page: Page, file: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await page.getByLabel("Video files").setInputFiles(file);
}

const inFolder = (names: readonly string[]): string[] => names.map((name) => path.join(folder, name));
const drop = (target: Locator, names: readonly string[]) => dropFiles(target, inFolder(names));

async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send("Network.emulateNetworkConditions", conditions);
}

async function library(): Promise<LibraryResponse> {
  const { data } = await client.functions.invoke<LibraryResponse>("library", { body: { method: "GET" } });
  return data!;
}

async function upload(name: string, use = "video"): Promise<{ id: string; link: string }> {
  const token = (await client.auth.getSession()).data.session!.access_token;
  const response = await fetch(`${clipmill.url}/uploads?name=${name}&use=${use}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: await readFile(path.join(folder, name)),
  });
  return ((await response.json()) as { data: { id: string; link: string } }).data;
}

/** Creates a job that uses the link and does not finish soon. Returns its id. */
async function holdBack(link: string): Promise<string> {
  const job = await createJob(client, {
    job_name: "Waiting",
    input_videos: Array.from({ length: 200 }, () => link),
    captions_enabled: true,
    custom_captions: Array.from({ length: 50 }, (_, i) => `Caption ${i}`),
    variants_per_video: 50,
  });
  return job.id;
}

async function filesOnDisk(): Promise<string[]> {
  const data = path.join(folder, "data");
  return [...(await readdir(path.join(data, "files/library"))), ...(await readdir(path.join(data, "uploads")))];
}

async function expectPictures(pictures: Locator, count: number): Promise<void> {
  await expect(pictures).toHaveCount(count);
  const widths = () => pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0));
  await expect.poll(widths).toEqual(Array.from({ length: count }, () => true));
}
