import { expect, test } from "vitest";
import { moveCaption, moveCaptionByKey } from "./caption-handle.tsx";

const PLACE = { top: 0.7, bottom: 0.8, highest: 0.12, lowest: 0.8 };

test("a dragged caption stays in the safe area, and snaps to its edges and to the middle", () => {
  expect(moveCaption(0.3, PLACE)).toEqual({ at: 0.3, line: null });
  expect(moveCaption(0, PLACE)).toEqual({ at: 0.17, line: 0.12 });
  expect(moveCaption(0.185, PLACE)).toEqual({ at: 0.17, line: 0.12 });
  expect(moveCaption(0.49, PLACE)).toEqual({ at: 0.5, line: 0.5 });
  expect(moveCaption(1, PLACE)).toEqual({ at: 0.75, line: 0.8 });
});

test("a caption as high as the safe area has one place", () => {
  expect(moveCaption(0.2, { ...PLACE, top: 0.12, bottom: 0.82 }).at).toBe(0.47);
});

test("keys move a caption within the safe area", () => {
  expect(
    ["ArrowUp", "ArrowDown", "PageUp", "Home", "End", "a"].map((key) => moveCaptionByKey(key, 0.5, PLACE)),
  ).toEqual([0.49, 0.51, 0.4, 0.17, 0.75, null]);
});
