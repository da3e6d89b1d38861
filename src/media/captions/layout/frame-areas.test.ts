import { expect, test } from "vitest";
import { captionAreaOf, safeAreaOf } from "./frame-areas.ts";

const UPRIGHT = { width: 1080, height: 1920 };

test("without a platform, an upright frame keeps the space of most apps' controls clear", () => {
  const { left, right, top, bottom } = safeAreaOf(UPRIGHT);
  expect([left / 1080, right / 1080, top / 1920, bottom / 1920].map((share) => share.toFixed(2))).toEqual([
    ...["0.08", "0.92", "0.12", "0.82"],
  ]);
});

test.each([
  { platform: "tiktok", covered: { top: 150, bottom: 440, side: 150 } },
  { platform: "reels", covered: { top: 269, bottom: 672, side: 65 } },
  { platform: "shorts", covered: { top: 230, bottom: 480, side: 130 } },
] as const)("for $platform, texts keep clear of its controls and stay centered", ({ platform, covered }) => {
  const area = safeAreaOf({ ...UPRIGHT, platform });
  expect(area.top).toBeGreaterThanOrEqual(covered.top - 1);
  expect(1920 - area.bottom).toBeGreaterThanOrEqual(covered.bottom - 1);
  expect(1080 - area.right).toBeGreaterThanOrEqual(covered.side - 1);
  expect(area.left + area.right).toBeCloseTo(1080, 6);
  expect(captionAreaOf({ ...UPRIGHT, platform }).bottom).toBeLessThan(area.bottom);
});

test("controls that lie over the bars around a wide video cost it no space", () => {
  const area = safeAreaOf({ width: 1920, height: 1080, platform: "tiktok" });
  expect([area.top, 1080 - area.bottom].map(Math.round)).toEqual([43, 43]);
  // The controls on the right cover the video itself.
  expect(Math.round(1920 - area.right)).toBe(Math.round((1920 * 150) / 1080));
});
