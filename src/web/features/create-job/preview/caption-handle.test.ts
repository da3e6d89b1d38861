import { expect, test } from "vitest";
import { moveByKey, moveTo } from "./caption-handle.tsx";

const PLACE = { top: 0.7, bottom: 0.8, highest: 0.12, lowest: 0.8 };

test("a dragged caption stays in the safe area, and snaps to its edges and to the middle", () => {
  expect(moveTo(0.3, PLACE)).toEqual({ y: 0.3, snappedTo: null });
  expect(moveTo(0, PLACE)).toEqual({ y: 0.17, snappedTo: "top" });
  expect(moveTo(0.185, PLACE)).toEqual({ y: 0.17, snappedTo: "top" });
  expect(moveTo(0.49, PLACE)).toEqual({ y: 0.5, snappedTo: "middle" });
  expect(moveTo(1, PLACE)).toEqual({ y: 0.75, snappedTo: "bottom" });
});

test("a caption as high as the safe area has one place", () => {
  expect(moveTo(0.2, { ...PLACE, top: 0.12, bottom: 0.82 }).y).toBe(0.47);
});

test("keys move a caption within the safe area", () => {
  expect(["ArrowUp", "ArrowDown", "PageUp", "Home", "End", "a"].map((key) => moveByKey(key, 0.5, PLACE))).toEqual([
    0.49,
    0.51,
    0.4,
    0.17,
    0.75,
    null,
  ]);
});
