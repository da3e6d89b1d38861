import { describe, expect, test } from "vitest";
import { CAPTION_POSITIONS, CAPTION_SIZES, CAPTION_STYLES } from "#contract/jobs/jobs.ts";
import { type CaptionLook, DEFAULT_LOOK } from "./caption-shape.ts";
import { captionAreaOf, type Frame, safeAreaOf } from "./frame-areas.ts";
import { areaOf, isCaptionFitting, layOutCaption } from "./lay-out-caption.ts";
import { layOutWatermark } from "./lay-out-watermark.ts";

const PORTRAIT = { width: 1080, height: 1920 };
const LANDSCAPE = { width: 1280, height: 720 };
const FRAMES: Frame[] = [PORTRAIT, LANDSCAPE, { width: 320, height: 240 }, { width: 2160, height: 600 }];
/** An average letter of a bold font. */
const measure = (text: string) => text.length * 0.58;
const LOOK = DEFAULT_LOOK;
const LOOKS: CaptionLook[] = CAPTION_STYLES.flatMap((style) =>
  CAPTION_POSITIONS.flatMap((position) => CAPTION_SIZES.map((size) => ({ ...LOOK, style, position, size }))),
);
const TEXTS = [1, 20, 200, 2_000].map((length) => "word soup ".repeat(200).slice(0, length).trim());

describe.each(LOOKS)("$style, $position, $size", (look) => {
  test("stays inside the safe area in at most 8 lines, more in the middle, above the watermark", () => {
    for (const frame of FRAMES) {
      const watermark = areaOf(layOutWatermark("@clipmill", frame, measure));
      for (const text of [...TEXTS, "pneumono".repeat(30), "สวัสดีชาวโลก".repeat(10)]) {
        const area = captionAreaOf(frame);
        const layout = layOutCaption(text, look, frame, measure);
        const drawn = areaOf(layout);
        expect(layout.lines.length).toBeLessThanOrEqual(look.position === "middle" ? 30 : 8);
        expect(layout.sizePixels).toBeGreaterThanOrEqual(Math.min(frame.width, frame.height) * 0.042 - 0.01);
        expect(drawn.left).toBeGreaterThanOrEqual(area.left - 0.01);
        expect(drawn.right).toBeLessThanOrEqual(area.right + 0.01);
        expect(drawn.top).toBeGreaterThanOrEqual(area.top - 0.01);
        expect(drawn.bottom).toBeLessThanOrEqual(area.bottom + 0.01);
        expect(drawn.bottom).toBeLessThanOrEqual(watermark.top);
      }
    }
  });

  test("is at the requested position", () => {
    const { top, bottom } = areaOf(layOutCaption("Save this", look, PORTRAIT, measure));
    const area = captionAreaOf(PORTRAIT);
    const isWhereAsked = {
      top: Math.abs(top - area.top) < 1,
      middle: Math.abs((top + bottom) / 2 - PORTRAIT.height / 2) < 1,
      bottom: Math.abs(bottom - area.bottom) < 1,
    };
    expect(isWhereAsked[look.position]).toBe(true);
  });
});

test("a short caption is large, a long one is smaller but complete, and a very long one ends in an ellipsis", () => {
  const short = layOutCaption("Save this", LOOK, PORTRAIT, measure);
  const long = layOutCaption("word soup ".repeat(14).trim(), LOOK, PORTRAIT, measure);
  const tooLong = layOutCaption("word soup ".repeat(100), LOOK, PORTRAIT, measure);
  expect(short.sizePixels).toBeCloseTo(1080 * 0.072);
  expect(long.sizePixels).toBeLessThan(short.sizePixels);
  expect(long.lines.map(({ text }) => text).join(" ")).toBe("word soup ".repeat(14).trim());
  expect(tooLong.lines.at(-1)?.text.endsWith("…")).toBe(true);
});

test("187 characters fit in up to 8 lines of at least 60 px on 1080x1920", () => {
  const text = "word soup ".repeat(19).slice(0, 187);
  for (const position of CAPTION_POSITIONS) {
    const { lines, sizePixels, isCut } = layOutCaption(text, { ...LOOK, position }, PORTRAIT, measure);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.length).toBeLessThanOrEqual(8);
    expect(sizePixels).toBeGreaterThanOrEqual(60);
    expect(isCut).toBe(false);
  }
});

test("a caption that is too long for the bottom fits in the middle, which has space for more lines", () => {
  const text = "word soup ".repeat(40).trim();
  expect(isCaptionFitting(text, LOOK, PORTRAIT, measure)).toBe(false);
  expect(layOutCaption(text, LOOK, PORTRAIT, measure)).toMatchObject({ isCut: true, lines: { length: 8 } });
  const middle = { ...LOOK, position: "middle" } as const;
  expect(isCaptionFitting(text, middle, PORTRAIT, measure)).toBe(true);
  const { lines, isCut } = layOutCaption(text, middle, PORTRAIT, measure);
  expect([isCut, lines.map((line) => line.text).join(" ")]).toEqual([false, text]);
});

test("a long word does not shrink the others, and a slightly too long one is not split", () => {
  const long = layOutCaption(`yes ${"m".repeat(30)} no`, LOOK, PORTRAIT, measure);
  expect(long.sizePixels).toBeCloseTo(1080 * 0.072);
  const spared = layOutCaption(`yes ${"m".repeat(22)} no`, LOOK, PORTRAIT, measure);
  expect(spared.lines.some(({ text }) => text.includes("m".repeat(22)))).toBe(true);
  expect(spared.sizePixels).toBeGreaterThan(1080 * 0.072 * 0.79);
});

test("sizes increase from small to large", () => {
  const sizes = CAPTION_SIZES.map((size) => layOutCaption("Save", { ...LOOK, size }, PORTRAIT, measure).sizePixels);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes[2]! / sizes[0]!).toBeGreaterThan(1.5);
});

test("lines have similar lengths, and no word stands alone", () => {
  const { lines } = layOutCaption("Three sips in and the inbox looks much smaller", LOOK, PORTRAIT, measure);
  const lengths = lines.map(({ text }) => text.length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(9);
  expect(lines.at(-1)?.text).toContain(" ");
});

test("a word wider than the picture is split, and its letters stay large", () => {
  const { lines, sizePixels } = layOutCaption("m".repeat(60), LOOK, PORTRAIT, measure);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.map(({ text }) => text.replace(/-$/, "")).join("")).toBe("m".repeat(60));
  expect(sizePixels).toBeCloseTo(1080 * 0.072);
});

test("lines of a box touch each other", () => {
  const { lines, shape, sizePixels } = layOutCaption(TEXTS[2]!, { ...LOOK, style: "box" }, PORTRAIT, measure);
  const height = (shape.ascent + shape.descent + shape.besides.above + shape.besides.below) * sizePixels;
  expect(lines[1]!.baselineY - lines[0]!.baselineY).toBeCloseTo(height);
});

test("the watermark is one line at the bottom right of the safe area", () => {
  const drawn = areaOf(layOutWatermark("@clipmill", PORTRAIT, measure));
  expect(drawn.right).toBeCloseTo(safeAreaOf(PORTRAIT).right);
  expect(drawn.bottom).toBeCloseTo(safeAreaOf(PORTRAIT).bottom);
  expect(drawn.left).toBeGreaterThan(PORTRAIT.width / 2);
  const long = layOutWatermark("w".repeat(200), PORTRAIT, measure);
  expect(long.lines[0]?.text.endsWith("…")).toBe(true);
  expect(areaOf(long).left).toBeGreaterThan(PORTRAIT.width * 0.4);
});
