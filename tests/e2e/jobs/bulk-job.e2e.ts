import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { fillVideoLinks } from "#tests/support/browser/job-screen.ts";
import { type ClipmillProcess, EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import {
  boxOfPixels,
  framePixels,
  type Frame,
  pixelAt,
  readDecodeErrors,
  probeFile,
  shareOfDifferentPixels,
  toneLevelDb,
} from "#tests/support/media/measure.ts";
import { unzip } from "#tests/support/unzip.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const MUSIC_HZ = 1_320;
const VIDEO_HZ = 440;
const LEVEL = 0.25;

const SOURCES = [
  { id: "portrait", width: 360, height: 640, seconds: 3, toneHz: VIDEO_HZ },
  { id: "landscape", width: 641, height: 361, seconds: 2, toneHz: VIDEO_HZ },
  { id: "silent", width: 360, height: 640, seconds: 2, toneHz: null },
];

let folder: string;
let twin: DriveTwin;
let clipmill: ClipmillProcess;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-e2e-"));
  twin = await startDriveTwin();
  for (const { id, ...clip } of SOURCES) {
    const file = path.join(folder, `${id}.mkv`);
    await makeClip(file, { ...clip, color: "0x204060", level: LEVEL, outputOptions: ["-pix_fmt", "yuv444p"] });
    // The last video's download is held, so the job is still running when the test checks it.
    const behaviour = id === "silent" ? { kind: "gated" as const } : { kind: "normal" as const };
    twin.add({ id, path: file, name: `${id}.mkv`, mimeType: "video/x-matroska", behaviour });
  }
  const music = path.join(folder, "music.mp3");
  await makeTone(music, { frequencyHz: MUSIC_HZ, seconds: 1, level: LEVEL });
  twin.add({ id: "music", path: music, name: "music.mp3", mimeType: "audio/mpeg" });
  clipmill = await startInstalledClipmill(path.join(folder, "data"), twin.environment);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
  await rm(folder, { recursive: true, force: true });
});

// spec 2.4.2, 2.4.6, 2.4.7, 2.8.7, 9.10, 9.23
test("a batch of 3 videos x 2 variants, from sign-in to measured files", async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(clipmill.url);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();

  await page.getByRole("link", { name: "Create New Job" }).click();
  await page.getByLabel("Job name").fill("Spring drop");
  await fillVideoLinks(page, SOURCES.map(({ id }) => twin.links(id)).join("\n"));
  await page.getByLabel("Variants per video").fill("2");
  await page.getByRole("switch", { name: "Captions" }).check();
  await page.getByRole("textbox", { name: "Captions" }).fill("Wait for the pour at the end\nSave this for later");
  await page.getByRole("switch", { name: "Background Music" }).check();
  await page.getByLabel("Audio links").fill(twin.links("music"));
  await page.getByText("Mix", { exact: true }).click();
  await setSlider(page, "Video volume", 0.5);
  await setSlider(page, "Music volume", 0.8);
  await page.getByRole("switch", { name: "Watermark" }).check();
  await page.getByLabel("Watermark text").fill("@clipmill");
  await page.getByRole("button", { name: "Start Processing" }).click();
  await expect(page.getByText("Processing 3 video(s) with 2 variant(s) each").first()).toBeVisible();

  // No reloads from here on: all changes arrive live.
  await page.getByRole("link", { name: "Job History", exact: true }).first().click();
  const row = page.getByRole("listitem").filter({ hasText: "Spring drop" });
  await expect(row.getByText("Processing", { exact: true })).toBeVisible();
  await expect(row.getByText("3/3", { exact: true })).toBeVisible({ timeout: 60_000 });
  twin.release("silent");
  await expect(row.getByText("Completed", { exact: true })).toBeVisible({ timeout: 90_000 });

  const download = page.waitForEvent("download");
  await row.getByRole("button", { name: "Download zip" }).click();
  const zip = await download;
  expect(zip.suggestedFilename()).toMatch(/^[0-9a-f-]{36}-outputs\.zip$/);
  const zipPath = path.join(folder, "outputs.zip");
  await zip.saveAs(zipPath);
  const unpacked = path.join(folder, "outputs");
  await mkdir(unpacked);
  const files = (await unzip(zipPath, unpacked)).filter((file) => file.endsWith(".mp4"));
  expect(files.map((file) => path.basename(file))).toEqual([
    "001-v1-portrait.mp4",
    "001-v2-portrait.mp4",
    "002-v1-landscape.mp4",
    "002-v2-landscape.mp4",
    "003-v1-silent.mp4",
    "003-v2-silent.mp4",
  ]);
  expect(path.basename(path.dirname(files[0]!))).toMatch(/^Spring drop-[0-9a-f]{8}$/);
  for (const [i, file] of files.entries()) await checkOutput(file, SOURCES[Math.floor(i / 2)]!);
  for (const video of [0, 1, 2]) await checkVariantsDiffer(files[video * 2]!, files[video * 2 + 1]!);

  await row.getByRole("link", { name: "Open output folder" }).click();
  await expect(page.getByRole("heading", { name: "Spring drop" })).toBeVisible();
  await expect(page.getByText("Wait for the pour at the end").first()).toBeVisible();
  expect(errors).toEqual([]);
});

async function checkOutput(file: string, source: (typeof SOURCES)[number]): Promise<void> {
  const { streams, durationSeconds } = await probeFile(file);
  expect(streams.map((stream) => stream.type).toSorted()).toEqual(["audio", "video"]);
  for (const stream of streams) expect(Math.abs(stream.durationSeconds - source.seconds)).toBeLessThanOrEqual(0.1);
  expect(Math.abs(durationSeconds - source.seconds)).toBeLessThanOrEqual(0.1);
  const video = streams.find((stream) => stream.type === "video")!;
  expect([video.width % 2, video.height % 2]).toEqual([0, 0]);
  expect(Math.abs(video.width - source.width)).toBeLessThanOrEqual(1);
  expect(await readDecodeErrors(file)).toBe("");

  // The 1 s music loops to the end at its gain of 0.8; the video's own tone has 0.5.
  const range = { fromSeconds: source.seconds - 0.9, toSeconds: source.seconds - 0.1 };
  expect(Math.abs((await toneLevelDb(file, MUSIC_HZ, range)) - decibels(LEVEL * 0.8))).toBeLessThan(1);
  const videoTone = await toneLevelDb(file, VIDEO_HZ, range);
  if (source.toneHz === null) expect(videoTone).toBeLessThan(-50);
  else expect(Math.abs(videoTone - decibels(LEVEL * 0.5))).toBeLessThan(1);

  const frame = await framePixels(file, 1);
  const caption = boxOfPixels(part(frame, { top: 0.5, bottom: 0.9 }), isWhite);
  expect(caption, "white letters in the lower third").not.toBeNull();
  const centre = (caption!.left + caption!.right) / 2;
  expect(Math.abs(centre - frame.width / 2)).toBeLessThan(frame.width * 0.03);
  expect(caption!.left).toBeGreaterThan(frame.width * 0.05);
  expect(boxOfPixels(part(frame, { top: 0, bottom: 0.45 }), (pixel) => !isBackground(pixel))).toBeNull();
  // Only the watermark is right of the caption: at the bottom, within the safe margin.
  const watermark = boxOfPixels(part(frame, { top: 0.5, bottom: 1, left: 0.85 }), (pixel) => !isBackground(pixel));
  expect(watermark, "the watermark at the bottom right").not.toBeNull();
  expect(watermark!.top + frame.height * 0.5).toBeGreaterThan(frame.height * 0.75);
  expect(watermark!.right + frame.width * 0.85).toBeLessThan(frame.width * 0.95);
}

async function checkVariantsDiffer(first: string, second: string): Promise<void> {
  const frames = [await framePixels(first, 1), await framePixels(second, 1)] as const;
  const of = (where: { top: number; bottom: number }) =>
    shareOfDifferentPixels(part(frames[0], where), part(frames[1], where));
  expect(of({ top: 0.5, bottom: 0.85 })).toBeGreaterThan(0.01);
  expect(of({ top: 0, bottom: 0.45 })).toBeLessThan(0.001);
}

function part(frame: Frame, where: { top: number; bottom: number; left?: number }): Frame {
  const top = Math.round(frame.height * where.top);
  const bottom = Math.round(frame.height * where.bottom);
  const left = Math.round(frame.width * (where.left ?? 0));
  const width = frame.width - left;
  const data = new Uint8Array(width * (bottom - top) * 3);
  for (let y = top; y < bottom; y++) {
    const from = (y * frame.width + left) * 3;
    data.set(frame.data.subarray(from, from + width * 3), (y - top) * width * 3);
  }
  return { width, height: bottom - top, data };
}

function isWhite({ red, green, blue }: ReturnType<typeof pixelAt>): boolean {
  return red > 200 && green > 200 && blue > 200;
}

function isBackground({ red, green, blue }: ReturnType<typeof pixelAt>): boolean {
  return Math.abs(red - 0x20) < 28 && Math.abs(green - 0x40) < 28 && Math.abs(blue - 0x60) < 28;
}

function decibels(amplitude: number): number {
  return 20 * Math.log10(amplitude);
}

async function setSlider(page: Page, label: string, value: number): Promise<void> {
  const slider = page.getByRole("slider", { name: label });
  await slider.focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < Math.round(value * 10); step++) await page.keyboard.press("ArrowRight");
}
