import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { choicesOf } from "#contract/job-settings/setting-values.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { boxOfPixels, framePixels } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const gray = file("gray.mp4");
await makeClip(gray, { width: 360, height: 640, seconds: 4, color: "gray", toneHz: null });
await writeFile(file("teal.png"), makePng(40, 20, [0, 160, 160, 255]));

/** A solid box around its letters. */
const SIGN = { kind: "text", text: "7 €", style: "box", box_color: "#ffff00", color: "#ffff00" } as const;
const LOGO = { kind: "image", image: file("teal.png") } as const;

async function render(name: string, layers: Layer[], more: { captions?: string[]; variants?: number } = {}) {
  return await renderClip(file(name), { source: gray, layers, images: [file("teal.png")], ...more });
}

type Pixel = { red: number; green: number; blue: number };
const isYellow = ({ red, green, blue }: Pixel) => red > 200 && green > 200 && blue < 90;
const isMixed = ({ red, blue }: Pixel) => red > 170 && red < 210 && blue < 90;
const isTeal = ({ red, green, blue }: Pixel) => red < 60 && green > 120 && blue > 120;

async function boxIn(output: { path: string }, seconds: number, isOf: (pixel: Pixel) => boolean) {
  return boxOfPixels(await framePixels(output.path, seconds), isOf);
}

test("texts and images have the nine places of the safe area, or any point inside it", async () => {
  const positions = choicesOf("watermark_position");
  const corners = [positions[0]!, positions[4]!, positions[8]!];
  const layers = corners.flatMap((position): Layer[] => [{ ...SIGN, position }]);
  const [texts] = await render("texts", layers);
  const box = (await boxIn(texts!, 1, isYellow))!;
  // Safe area: 8 % at the sides, 12 % at the top, 18 % at the bottom.
  expect(Math.abs(box.left - 29)).toBeLessThan(3);
  expect(Math.abs(box.right - 331)).toBeLessThan(3);
  expect(Math.abs(box.top - 77)).toBeLessThan(3);
  expect(Math.abs(box.bottom - 525)).toBeLessThan(3);

  const [points] = await render("points", [
    { ...LOGO, x: 0.5, y: 0.25, size: 0.2 },
    { ...SIGN, x: 1, y: 1 },
  ]);
  expect(await boxIn(points!, 1, isTeal)).toMatchObject({ left: 144, right: 215, top: 142, bottom: 177 });
  const moved = (await boxIn(points!, 1, isYellow))!;
  expect(Math.abs(moved.right - 331)).toBeLessThan(3);
  expect(Math.abs(moved.bottom - 525)).toBeLessThan(3);
});

const heightOf = ({ top, bottom }: { top: number; bottom: number }) => bottom - top;

test("sizes are shares of the frame, and a long text breaks and shrinks instead of leaving the safe area", async () => {
  const [small, large] = [
    (await render("small", [{ ...SIGN, size: 0.05 }]))[0]!,
    (await render("large", [{ ...SIGN, size: 0.1 }]))[0]!,
  ];
  const [low, high] = [(await boxIn(small, 1, isYellow))!, (await boxIn(large, 1, isYellow))!];
  expect(heightOf(high) / heightOf(low)).toBeGreaterThan(1.8);
  const long = { ...SIGN, text: "A very long offer that goes on and on. ".repeat(12), size: 0.2 };
  const box = (await boxIn((await render("long", [long]))[0]!, 1, isYellow))!;
  expect(box.left).toBeGreaterThan(26);
  expect(box.right).toBeLessThan(334);
  expect(box.top).toBeGreaterThan(74);
  expect(box.bottom).toBeLessThan(528);
});

test("each layer has its own times, and the highest covers the others", async () => {
  const [output] = await render("times", [
    { ...LOGO, position: "center", size: 0.6, start_seconds: 1 },
    { ...SIGN, position: "center", size: 0.05, end_seconds: 2 },
  ]);
  const seen = async (seconds: number) => [
    (await boxIn(output!, seconds, isTeal)) !== null,
    (await boxIn(output!, seconds, isYellow)) !== null,
  ];
  expect(await seen(0.5)).toEqual([false, true]);
  expect(await seen(1.5)).toEqual([true, true]);
  expect(await seen(2.5)).toEqual([true, false]);
});

test("a translucent layer lets the video shine through", async () => {
  const [output] = await render("opacity", [{ ...SIGN, opacity: 0.5 }]);
  expect(await boxIn(output!, 1, isYellow)).toBeNull();
  expect(await boxIn(output!, 1, isMixed)).not.toBeNull();
});

test("a drawing is opened once for all files of a run, and fades end where another layer starts", async () => {
  const layers: Layer[] = [
    { ...SIGN, text: "{part.name}", position: "top", end_seconds: 2.5, fade: 200 },
    { ...LOGO, position: "center", size: 0.6, start_seconds: 2.4 },
  ];
  const captions = ["One", "Two", "Three"];
  const outputs = await render("shared", layers, { captions, variants: 3 });
  for (const output of outputs) {
    expect(await boxIn(output, 1, isYellow)).not.toBeNull();
    expect(await boxIn(output, 1, isTeal)).toBeNull();
    expect(await boxIn(output, 3, isYellow)).toBeNull();
    expect(await boxIn(output, 3, isTeal)).toMatchObject({ left: 72, right: 287 });
  }
});
