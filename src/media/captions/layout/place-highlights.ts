import createBidi from "bidi-js";
import type { MeasureText, PlacedLine, TextLayout } from "./lay-out-caption.ts";
import { highlightsOfLines, type TextRange } from "./read-highlights.ts";

const bidi = createBidi();

/** Whole pixels from the left of the frame: two antialiased edges would show as a seam. */
export type Span = { left: number; right: number };

/** Share of the font size, beyond a part between spaces: some letters exceed their width. */
const OVERHANG = 0.08;

/** Returns spans by line; a part with a change of direction has several. */
export function placeHighlights(
  { text, highlights }: { text: string; highlights: readonly TextRange[] },
  { lines, sizePixels }: TextLayout,
  measure: MeasureText,
): Span[][] {
  if (highlights.length === 0) return [];
  const texts = lines.map((line) => line.text);
  return highlightsOfLines(text, highlights, texts).map((ranges, i) => {
    const { centerX, width } = lines[i]!;
    const toPixels = (widths: number) => Math.round(centerX - width / 2 + widths * sizePixels);
    const spans = findSpans(lines[i]!, ranges, measure);
    return spans.map(({ left, right }) => ({ left: toPixels(left), right: toPixels(right) }));
  });
}

/** Shares of the font size, from the line's left edge. */
function findSpans(
  { text, isRightToLeft }: PlacedLine,
  ranges: readonly TextRange[],
  measure: MeasureText,
): { left: number; right: number }[] {
  const spans: { left: number; right: number }[] = [];
  let left = 0;
  for (const run of runsFromLeft(text, isRightToLeft)) {
    const widthTo = (end: number) => measure(text.slice(run.start, end));
    const width = widthTo(run.end);
    for (const range of ranges) {
      const [start, end] = [Math.max(range.start, run.start), Math.min(range.end, run.end)];
      if (start >= end) continue;
      const near = widthTo(start) - spareAt(text, start - 1);
      const far = widthTo(end) + spareAt(text, end);
      const isReversed = run.isRightToLeft;
      spans.push({ left: left + (isReversed ? width - far : near), right: left + (isReversed ? width - near : far) });
    }
    left += width;
  }
  return spans;
}

function spareAt(text: string, index: number): number {
  return /\S/u.test(text.charAt(index)) ? 0 : OVERHANG;
}

/** Signs of two UTF-16 units, such as emoji, which bidi-js would treat as left-to-right letters. */
const WIDE_SIGN = /(?=[\u{10000}-\u{10FFFF}])\P{L}/gu;
/** Of equal length, without a direction. */
const NEUTRAL_SIGNS = "★★";

type Run = TextRange & { isRightToLeft: boolean };

/** Returns runs in drawing order (Unicode bidirectional algorithm). */
function runsFromLeft(text: string, isRightToLeft: boolean): Run[] {
  const signs = text.replaceAll(WIDE_SIGN, NEUTRAL_SIGNS);
  const embedding = bidi.getEmbeddingLevels(signs, isRightToLeft ? "rtl" : "ltr");
  const runs: Run[] = [];
  for (const index of bidi.getReorderedIndices(signs, embedding)) {
    const run = runs.at(-1);
    const isOdd = embedding.levels[index]! % 2 === 1;
    if (run && run.isRightToLeft === isOdd && index === (isOdd ? run.start - 1 : run.end)) {
      run.start = Math.min(run.start, index);
      run.end = Math.max(run.end, index + 1);
    } else {
      runs.push({ start: index, end: index + 1, isRightToLeft: isOdd });
    }
  }
  return runs;
}
