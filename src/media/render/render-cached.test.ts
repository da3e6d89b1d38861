/** Counts ffmpeg runs to see what comes from the cache. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { framePixels, readDecodeErrors, shareOfDifferentPixels, toneLevelDb } from "#tests/support/media/measure.ts";
import { makeLoggingFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip, type ClipRequest } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
await makeClip(clip, { seconds: 2, toneHz: 440 });
await makeTone(file("low.m4a"), { frequencyHz: 500, seconds: 3 });
await makeTone(file("high.m4a"), { frequencyHz: 1_500, seconds: 3 });
const { ffmpeg, log } = await makeLoggingFfmpeg(folder);
beforeEach(() => writeFile(log, ""));

const streamCache = await openStreamCache(file("cache"), 1024 ** 3);
let renders = 0;
const render = (request: Omit<ClipRequest, "source">) =>
  renderClip(file(`render-${renders++}`), { source: clip, streamCache, ffmpeg, ...request });

/** Counts encodes since the log was last cleared. */
async function encoded(): Promise<{ pictures: number; sounds: number }> {
  const runs = await readFile(log, "utf8");
  return { pictures: runs.split("-c:v libx264").length - 1, sounds: runs.split("-c:a aac").length - 1 };
}

test("a rerun with other music encodes no picture", async () => {
  const captions = ["One", "Two"];
  const first = await render({ captions, tracks: [file("low.m4a")], variants: 2 });
  expect(await encoded()).toEqual({ pictures: 2, sounds: 1 });
  await writeFile(log, "");
  const second = await render({ captions, tracks: [file("high.m4a")], variants: 2 });
  expect(await encoded()).toEqual({ pictures: 0, sounds: 1 });
  const middle = { fromSeconds: 0.3, toSeconds: 1.7 };
  expect(await toneLevelDb(second[0]!.path, 1_500, middle)).toBeGreaterThan(-15);
  expect(await toneLevelDb(second[0]!.path, 500, middle)).toBeLessThan(-50);
  for (const [i, output] of second.entries()) {
    const [before, after] = await Promise.all([framePixels(first[i]!.path, 1), framePixels(output.path, 1)]);
    expect(shareOfDifferentPixels(before, after, 0)).toBe(0);
    expect((await framePixels(output.thumbnailPath, 0)).width).toBe(320);
    expect(await readDecodeErrors(output.path)).toBe("");
  }
});

test("one more caption encodes one more picture; another quality, style or watermark encodes them again", async () => {
  const captions = ["One", "Two", "Three"];
  await render({ captions, variants: 3 });
  expect((await encoded()).pictures).toBe(1);
  await writeFile(log, "");
  await render({ captions: ["One"], settings: { quality: "draft" } });
  await render({ captions: ["One"], watermark: "@us" });
  await render({ captions: ["One"], captionLook: { style: "box" } });
  expect((await encoded()).pictures).toBe(3);
});

test("only segments missing from the cache are encoded", async () => {
  await render({ captions: ["Cut"], segmentation: { type: "multiple", segmentSeconds: 0.5 } });
  await writeFile(log, "");
  const [first] = await render({ captions: ["Cut"], segmentation: { type: "single", segmentSeconds: 0.5 } });
  expect((await encoded()).pictures).toBe(0);
  expect(first!.durationSeconds).toBeCloseTo(0.5);
});

test("concurrent renders share common streams", async () => {
  const request = { captions: ["Shared"], tracks: [file("low.m4a")] };
  const both = await Promise.all([render(request), render({ ...request, captions: ["Shared", "Own"], variants: 2 })]);
  expect((await encoded()).pictures).toBe(2);
  for (const output of both.flat()) expect(await readDecodeErrors(output.path)).toBe("");
});

test("a waiting render takes over from a canceled one", async () => {
  const cancelling = new AbortController();
  const request = { captions: ["Handed on"] };
  const first = render({ ...request, signal: cancelling.signal });
  const second = render(request);
  cancelling.abort();
  await expect(first).rejects.toMatchObject({ code: "cancelled" });
  expect(await readDecodeErrors((await second)[0]!.path)).toBe("");
});

test("damaged streams in the cache are encoded again", async () => {
  const request = { captions: ["Damaged"] };
  await render(request);
  for (const key of await readdir(file("cache"))) await writeFile(path.join(file("cache"), key, "stream"), "nothing");
  await writeFile(log, "");
  const [output] = await render(request);
  expect((await encoded()).pictures).toBe(1);
  expect(await readDecodeErrors(output!.path)).toBe("");
});
