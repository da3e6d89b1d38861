import { expect, test } from "vitest";
import { FONT_METRICS } from "./caption-shape.ts";
import type { TextLayout } from "./lay-out-caption.ts";
import { placeHighlights } from "./place-highlights.ts";
import { readHighlights } from "./read-highlights.ts";

const measure = (text: string) => text.length;
const SIZE = 10;

/** In letters, on one line that starts at 0. */
function spansOn(caption: string, isRightToLeft = false): [number, number][] {
  const { text, highlights } = readHighlights(caption);
  const width = text.length * SIZE;
  const line = { text, isRightToLeft, centerX: width / 2, baselineY: 0, width };
  const layout = { sizePixels: SIZE, shape: FONT_METRICS.sans as never, lines: [line] } satisfies TextLayout;
  const [spans = []] = placeHighlights({ text, highlights }, layout, measure);
  return spans.map(({ left, right }) => [left / SIZE, right / SIZE]);
}

test("a word reaches a little into the spaces around it, a part of a word does not", () => {
  expect(spansOn("see *this* now")).toEqual([[3.9, 8.1]]);
  expect(spansOn("s*e*e")).toEqual([[1, 2]]);
  expect(spansOn("see this")).toEqual([]);
});

test("right-to-left words count from the right", () => {
  expect(spansOn("אבג *דה* ו", true)).toEqual([[1.9, 4.1]]);
});

test("on lines of both directions, words are where they are drawn", () => {
  // drawn as: abc HGFE xyz
  expect(spansOn("abc *אב* גד xyz")).toEqual([[6.9, 9.1]]);
  // drawn as: 🍓 Clip 24 גבא
  expect(spansOn("אבג Clip *24* 🍓", true)).toEqual([[7.9, 10.1]]);
});
