import path from "node:path";
import { expect, test } from "vitest";
import { makeLoggingFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, type Frame, framePixels, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const { ffmpeg, countEncodes } = await makeLoggingFfmpeg(folder);
const streamCache = await openStreamCache(file("streams"), 1024 ** 3);

// Brightness encodes the frame number, four steps per frame.
const level = "20+4*mod(N,40)";
const counting = `color=black:s=180x320:r=30000/1001,format=gbrp,geq=r='${level}':g='${level}':b='${level}'`;
const source = file("video.mp4");
await makeClip(source, { picture: counting, seconds: 40 * (1_001 / 30_000), outputOptions: ["-crf", "4"] });

const isWhite = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
  Math.min(red, green, blue) > 225;

async function render(name: string, coverSeconds: number | null, request: Partial<ClipRequest> = {}) {
  const settings = { caption_end_seconds: 1, cover_seconds: coverSeconds };
  const [output] = await renderClip(file(name), { source, ffmpeg, streamCache, settings, ...request });
  return output!;
}

async function readCover({ path: video, coverPath }: { path: string; coverPath: string | null }) {
  const cover = await framePixels(coverPath!, 0);
  const frames = await readAllFrames(video);
  const differences = frames.map((frame) => shareOfDifferentPixels(cover, frame, 2));
  return { cover, frames, number: differences.indexOf(Math.min(...differences)) };
}

const hasCaption = (frame: Frame) => boxOfPixels(frame, isWhite) !== null;

test("a cover is the finished file's frame at its time in full size, with the caption if that is shown then", async () => {
  const shown = await readCover(await render("shown", 0.5, { captions: ["MMM"] }));
  expect(shown).toMatchObject({ number: 15, cover: { width: 180, height: 320 } });
  expect(hasCaption(shown.cover)).toBe(true);
  const bare = await readCover(await render("bare", 1.1, { captions: ["MMM"] }));
  expect(bare.number).toBe(33);
  expect(hasCaption(bare.cover)).toBe(false);
  expect((await readCover(await render("first", 0, { captions: ["MMM"] }))).number).toBe(0);
});

test("a time after the end takes the last frame, also of a copied picture", async () => {
  for (const [name, captions] of Object.entries({ encoded: ["MMM"], copied: [] })) {
    expect(await readCover(await render(name, 3_600, { captions }))).toMatchObject({ number: 39 });
  }
});

test("another time is another file, for which nothing is encoded again", async () => {
  const [none, first, second] = [null, 0.2, 0.4];
  const keys = new Set<string>();
  const before = await render("none", none, { captions: ["WWW"] });
  expect(before.coverPath).toBeNull();
  const encodes = await countEncodes(async () => {
    for (const [i, seconds] of [none, first, second, second].entries()) {
      keys.add((await render(`again-${i}`, seconds, { captions: ["WWW"] })).contentKey);
    }
  });
  expect(encodes).toBe(0);
  expect(keys.size).toBe(3);
  expect(keys).toContain(before.contentKey);
});
