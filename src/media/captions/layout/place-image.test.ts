import { expect, test } from "vitest";
import { choicesOf } from "#contract/job-settings/setting-values.ts";
import { safeAreaOf } from "./frame-areas.ts";
import { placeImage } from "./place-image.ts";

const UPRIGHT = { width: 1080, height: 1920 };
const WIDE = { width: 1920, height: 1080 };
const LOGO = { width: 400, height: 200 };
const POSITIONS = choicesOf("watermark_position");

function place(position: (typeof POSITIONS)[number], scale = 0.2) {
  return { position, x: null, y: null, size: scale, opacity: 1 };
}

test("an image has its share of the frame's width, its own shape, and the nine places of the safe area", () => {
  const boxes = POSITIONS.map((position) => placeImage(LOGO, place(position), UPRIGHT, null));
  for (const { width, height } of boxes) expect([width, height]).toEqual([216, 108]);
  // 8 % sides, 12 % top, 18 % bottom
  expect(boxes.map(({ x, y }) => [x, y])).toEqual([
    ...[86, 432, 778].map((x) => [x, 230]),
    ...[86, 432, 778].map((x) => [x, 906]),
    ...[86, 432, 778].map((x) => [x, 1466]),
  ]);
});

test.each([UPRIGHT, WIDE, { width: 1080, height: 1080 }])("stays in the safe area of $width x $height", (size) => {
  for (const platform of [null, "tiktok", "reels", "shorts"] as const) {
    const frame = { ...size, platform };
    const area = safeAreaOf(frame);
    for (const [position, scale] of POSITIONS.flatMap((name) =>
      [0.05, 0.4, 1].map((share) => [name, share] as const),
    )) {
      for (const image of [LOGO, { width: 50, height: 900 }, { width: 4_096, height: 3 }]) {
        const { x, y, width, height } = placeImage(image, place(position, scale), frame, null);
        expect([x % 2, y % 2, width % 2, height % 2]).toEqual([0, 0, 0, 0]);
        expect(x).toBeGreaterThanOrEqual(area.left - 1);
        expect(y).toBeGreaterThanOrEqual(area.top - 1);
        expect(x + width).toBeLessThanOrEqual(area.right + 2);
        expect(y + height).toBeLessThanOrEqual(area.bottom + 2);
      }
    }
  }
});

test("an image that would touch the text is placed above it, smaller if it must be", () => {
  const text = { x: 780, y: 1520, width: 214, height: 54 };
  const corner = placeImage(LOGO, place("bottom-right"), UPRIGHT, text);
  expect([corner.width, corner.height]).toEqual([216, 108]);
  expect(text.y - (corner.y + corner.height)).toBeCloseTo(16, -1);
  const full = placeImage({ width: 100, height: 900 }, place("bottom-right", 1), UPRIGHT, text);
  expect(full.y + full.height).toBeLessThanOrEqual(text.y);
  expect(full.height).toBeLessThan(1300);
  for (const position of ["bottom-left", "top-right"] as const) {
    expect(placeImage(LOGO, place(position), UPRIGHT, text)).toEqual(placeImage(LOGO, place(position), UPRIGHT, null));
  }
});
