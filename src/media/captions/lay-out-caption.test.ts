import { expect, test } from "vitest";
import { boxOf, layOutCaption, safeAreaOf } from "./lay-out-caption.ts";
import { layOutWatermark } from "./lay-out-watermark.ts";

const PORTRAIT = { width: 1080, height: 1920 };
const LANDSCAPE = { width: 1280, height: 720 };
/** Every character as wide as an average letter of a bold font. */
const measure = (text: string, size: number) => text.length * size * 0.58;

test.each([1, 20, 200, 2_000])("a caption of %i characters stays inside the safe area in at most 4 lines", (length) => {
  const text = "word soup ".repeat(200).slice(0, length);
  for (const frame of [PORTRAIT, LANDSCAPE, { width: 320, height: 240 }]) {
    const area = safeAreaOf(frame);
    const layout = layOutCaption(text, frame, measure);
    const box = boxOf(layout, frame, measure);
    expect(layout.lines.length).toBeLessThanOrEqual(4);
    expect(box.x).toBeGreaterThanOrEqual(area.left - 6);
    expect(box.x + box.width).toBeLessThanOrEqual(area.right + 6);
    expect(box.y + box.height).toBeLessThanOrEqual(area.bottom);
    expect(box.y).toBeGreaterThan(frame.height / 2);
  }
});

test("a short caption is large, a long one smaller but whole, a very long one ends in an ellipsis", () => {
  const short = layOutCaption("Save this", PORTRAIT, measure);
  const long = layOutCaption("word soup ".repeat(14).trim(), PORTRAIT, measure);
  const tooLong = layOutCaption("word soup ".repeat(100), PORTRAIT, measure);
  expect(short.sizePixels).toBeCloseTo(1080 * 0.072);
  expect(long.sizePixels).toBeLessThan(short.sizePixels);
  expect(long.lines.map(({ text }) => text).join(" ")).toBe("word soup ".repeat(14).trim());
  expect(tooLong.lines.at(-1)?.text.endsWith("…")).toBe(true);
});

test("lines are of about one length", () => {
  const { lines } = layOutCaption("Three sips in and the inbox looks much smaller", PORTRAIT, measure);
  const lengths = lines.map(({ text }) => text.length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(9);
});

test("the box lies on even pixels, where chroma samples are", () => {
  const { x, y, width, height } = boxOf(layOutCaption("Hello", LANDSCAPE, measure), LANDSCAPE, measure);
  expect([x, y, width, height].map((pixels) => pixels % 2)).toEqual([0, 0, 0, 0]);
});

test("the watermark is one line at the bottom right, below the caption", () => {
  const caption = layOutCaption("A caption", PORTRAIT, measure);
  const watermark = layOutWatermark("@clipmill", PORTRAIT, measure);
  const above = boxOf(caption, PORTRAIT, measure);
  const box = boxOf(watermark, PORTRAIT, measure);
  expect(box.x + box.width).toBeLessThanOrEqual(safeAreaOf(PORTRAIT).right + 4);
  expect(box.x).toBeGreaterThan(PORTRAIT.width / 2);
  expect(box.y).toBeGreaterThanOrEqual(above.y + above.height - 4);
  expect(layOutWatermark("w".repeat(200), PORTRAIT, measure).lines[0]?.text.endsWith("…")).toBe(true);
});
