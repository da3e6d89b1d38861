import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";

const FRAMES_PER_SECOND = 30;
/** Shows the caption from frame 36 to 77. */
const TIMING = { caption_start_seconds: 1.2, caption_end_seconds: 2.6 };

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-joined-"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

type Seen = { mediaTime: number; brightness: number };

test("a joined picture shows every frame once, also at the seams", async ({ page }) => {
  const source = path.join(folder, "clip.mp4");
  // brightness encodes the frame number, three steps per frame
  const level = "16+3*mod(N,60)";
  const picture = `color=black:s=160x160:r=30,format=gbrp,geq=r='${level}':g='${level}':b='${level}'`;
  await makeClip(source, { picture, seconds: 4, outputOptions: ["-crf", "4"] });
  const request = { source, captions: ["MMM", "WWW"], variants: 2, settings: TIMING };
  const [output] = await renderClip(path.join(folder, "render"), request);
  const url = `data:video/mp4;base64,${(await readFile(output!.path)).toString("base64")}`;
  await page.setContent("<video muted></video>");

  const stepped = await page.evaluate(stepThrough, { url, fps: FRAMES_PER_SECOND, from: 20, to: 100 });
  expect(stepped.map(({ mediaTime }) => Math.round(mediaTime * FRAMES_PER_SECOND))).toEqual(
    Array.from({ length: 80 }, (_, i) => 20 + i),
  );
  for (const [i, { brightness }] of stepped.entries()) {
    expect(Math.abs(brightness - 16 - 3 * ((20 + i) % 60))).toBeLessThan(2.5);
  }
  expect(await page.evaluate(playToEnd)).toBeCloseTo(4, 1);
});

async function stepThrough(input: { url: string; fps: number; from: number; to: number }): Promise<Seen[]> {
  const video = document.querySelector("video")!;
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  video.src = input.url;
  await new Promise((resolve, reject) => {
    video.addEventListener("loadeddata", resolve, { once: true });
    video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
  });
  const seen: Seen[] = [];
  for (let frame = input.from; frame < input.to; frame++) {
    const shown = new Promise<VideoFrameCallbackMetadata>((resolve) => {
      video.requestVideoFrameCallback((_now, metadata) => resolve(metadata));
    });
    video.currentTime = (frame + 0.5) / input.fps;
    const { mediaTime } = await shown;
    context.drawImage(video, 0, 0);
    seen.push({ mediaTime, brightness: context.getImageData(80, 10, 1, 1).data[0]! });
  }
  return seen;
}

/** Returns the end in seconds. */
async function playToEnd(): Promise<number> {
  const video = document.querySelector("video")!;
  video.currentTime = 0;
  const ended = new Promise((resolve) => video.addEventListener("ended", resolve, { once: true }));
  await video.play();
  await ended;
  return video.currentTime;
}
