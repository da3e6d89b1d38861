import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { makePng, TRANSLUCENT_WEBP, WEBP } from "#tests/support/media/make-image.ts";
import { boxOfPixels, framePixels, pixelAt } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const gray = file("gray.mp4");
await makeClip(gray, { width: 360, height: 640, seconds: 0.4, color: "gray", toneHz: null });
await writeFile(file("teal.png"), makePng(40, 20, [0, 160, 160, 255]));
await writeFile(file("red.webp"), WEBP);
await writeFile(file("translucent.webp"), TRANSLUCENT_WEBP);

const render = async (name: string, request: Omit<Parameters<typeof renderClip>[1], "source">) => {
  const [output] = await renderClip(file(name), { source: gray, ...request });
  return await framePixels(output!.path, 0.2);
};
const differs = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
  Math.max(Math.abs(red - 128), Math.abs(green - 128), Math.abs(blue - 128)) > 30;

test("an image is drawn in its place, size and colors", async () => {
  const settings = { watermark_position: "bottom-left", watermark_scale: 0.25 } as const;
  const frame = await render("place", { watermarkImage: file("teal.png"), settings });
  // 90 x 45 pixels, rounded to even ones; safe area: 8 % left, 18 % bottom
  expect(boxOfPixels(frame, differs)).toMatchObject({ left: 28, right: 117, top: 478, bottom: 523 });
  const { red, green, blue } = pixelAt(frame, 70, 500);
  for (const [is, wanted] of [
    [red, 0],
    [green, 160],
    [blue, 160],
  ] as const) {
    expect(Math.abs(is - wanted)).toBeLessThan(6);
  }
});

test("opacity multiplies the image's own, for WebP too", async () => {
  const settings = { watermark_position: "center", watermark_opacity: 0.5 } as const;
  const solid = pixelAt(await render("solid", { watermarkImage: file("red.webp"), settings }), 180, 320);
  const half = pixelAt(await render("half", { watermarkImage: file("translucent.webp"), settings }), 180, 320);
  // Over gray 128: half and a quarter of rgb(192 32 48).
  for (const [shown, wanted] of [
    [solid, [160, 80, 88]],
    [half, [144, 104, 108]],
  ] as const) {
    expect(Math.abs(shown.red - wanted[0])).toBeLessThan(6);
    expect(Math.abs(shown.green - wanted[1])).toBeLessThan(6);
    expect(Math.abs(shown.blue - wanted[2])).toBeLessThan(6);
  }
});

test("edges of a transparent image keep their color: hidden pixels do not bleed into them", async () => {
  // White stripes; the transparent pixels between them are black.
  await writeFile(file("stripes.png"), makePng(64, 64, [...[255, 255, 255, 255], ...[0, 0, 0, 0]]));
  const settings = { watermark_position: "center", watermark_scale: 0.05 } as const;
  const frame = await render("edges", { watermarkImage: file("stripes.png"), settings });
  expect(boxOfPixels(frame, ({ red }) => red < 100)).toBeNull();
  expect(pixelAt(frame, 180, 320).red).toBeGreaterThan(170);
});

test("in another format, for a platform, an image is measured on the output; outputs with other music share it", async () => {
  const tracks = [file("low.m4a"), file("high.m4a")];
  for (const [i, track] of tracks.entries()) await makeTone(track, { frequencyHz: 300 + 300 * i, seconds: 1 });
  const streamCache = await openStreamCache(file("streams"), 1024 ** 3);
  const outputs = await renderClip(file("format"), {
    source: gray,
    tracks,
    variants: 2,
    streamCache,
    watermark: "@clipmill",
    watermarkImage: file("teal.png"),
    settings: { format: "1:1", platform: "tiktok", watermark_position: "bottom-right", fit: "pad" },
  });
  expect(outputs).toHaveLength(2);
  // One picture and two sounds.
  expect(streamCache.counts.misses).toBe(3);
  const frame = await framePixels(outputs[0]!.path, 0.2);
  const box = boxOfPixels(frame, ({ red, green, blue }) => red < 60 && green > 120 && blue > 120)!;
  expect([box.right - box.left + 1, box.bottom - box.top + 1]).toEqual([216, 108]);
  const text = boxOfPixels(frame, ({ red }) => red > 140)!;
  expect(text.top).toBeGreaterThan(box.bottom);
});
