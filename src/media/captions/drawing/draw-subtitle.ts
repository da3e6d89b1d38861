import type { SKRSContext2D } from "@napi-rs/canvas";
import { contrastOf, rgbOf } from "#contract/colors.ts";
import { type DrawableText, makeDrawable } from "../fonts/drawable-text.ts";
import type { CaptionLook } from "../layout/caption-shape.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { TextLayout } from "../layout/lay-out-caption.ts";
import { areaOfSubtitles, layOutSubtitle, type SubtitleText } from "../layout/lay-out-subtitle.ts";
import { placeHighlights, type Span } from "../layout/place-highlights.ts";
import type { TextRange } from "../layout/read-highlights.ts";
import { type DrawnText, paintOn } from "./draw-text.ts";
import { colorsOf, fillWithin, measureIn, PAINTERS, setFont } from "./paint-text.ts";

/** Around the word, as shares of the font size; beside it, a space adds more. */
const BOX = { beside: 0.04, above: 0.86, below: 0.27, radius: 0.18 };

/** Draws one of a video's subtitles on a picture of their common size. Without rows, the picture is transparent. */
export async function drawSubtitle(
  subtitle: SubtitleText,
  look: CaptionLook,
  frame: Frame,
  path: string,
): Promise<DrawnText> {
  const area = areaOfSubtitles(subtitle, look, frame);
  const { rows, marked } = readRows(subtitle, look);
  const drawable = makeDrawable(rows.join("\n"), look);
  const measure = measureIn(drawable);
  const layout = layOutSubtitle(rows, subtitle, look, { frame, measure });
  const spans = placeHighlights({ text: rows.join("\n"), highlights: marked }, layout, measure);
  const isBoxed = subtitle.mark?.as === "box";
  const colors = colorsOf(look);
  const drawing = await paintOn(area, frame, path, (context) => {
    if (rows.length === 0) return;
    setFont(context, layout.sizePixels, drawable);
    PAINTERS[look.style](context, layout, isBoxed ? colors : { ...colors, highlights: spans });
    if (isBoxed) drawWordBox(context, layout, spans, colors.highlight);
  });
  return { drawing, area, warnings: [] };
}

/** The box covers the word's letters, which are then drawn again in a color that is legible on it. */
function drawWordBox(
  context: SKRSContext2D,
  layout: TextLayout,
  spans: readonly (readonly Span[])[],
  color: string,
): void {
  const { sizePixels } = layout;
  context.fillStyle = color;
  const boxes = layout.lines.map(({ baselineY }, i) =>
    (spans[i] ?? []).map(({ left, right }) => {
      const [from, to] = [left - BOX.beside * sizePixels, right + BOX.beside * sizePixels];
      context.beginPath();
      const top = baselineY - BOX.above * sizePixels;
      context.roundRect(from, top, to - from, (BOX.above + BOX.below) * sizePixels, BOX.radius * sizePixels);
      context.fill();
      return { left: from, right: to };
    }),
  );
  const onBox = ["#000000", "#ffffff"].toSorted(
    (a, b) => contrastOf(rgbOf(b), rgbOf(color)) - contrastOf(rgbOf(a), rgbOf(color)),
  );
  fillWithin(context, layout, boxes, onBox[0]!);
}

/** Returns the rows as they can be drawn, and the places of marked words in them, joined by line breaks. */
function readRows({ rows, mark }: SubtitleText, look: CaptionLook): { rows: string[]; marked: TextRange[] } {
  const drawn: string[] = [];
  const marked: TextRange[] = [];
  let word = 0;
  let before = 0;
  for (const row of rows) {
    let text = "";
    const range = { start: -1, end: -1 };
    for (const written of row) {
      const plain = drawnWord(written, look);
      const start = before + text.length;
      const isMarked = mark && word >= mark.from && word < mark.to && plain !== "";
      if (isMarked && range.start < 0) range.start = start;
      if (isMarked) range.end = start + plain.length;
      text += plain + (/\s$/u.test(written) && plain !== "" ? " " : "");
      word++;
    }
    text = text.trimEnd();
    if (text === "") continue;
    drawn.push(text);
    if (range.start >= 0) marked.push(range);
    before += text.length + 1;
  }
  return { rows: drawn, marked };
}

function drawnWord(written: string, look: CaptionLook): DrawableText["text"] {
  return makeDrawable(written, look).text.replaceAll("\n", " ");
}

/** Widths are in shares of the font size; `missing` are characters that no font has. */
export type MeasuredWords = Pick<DrawableText, "font" | "missing"> & { widths: number[] };

/** For `breakIntoCues`. A space is a word, too. */
export function measureWords(words: readonly string[], look: CaptionLook): MeasuredWords {
  const { font, missing } = makeDrawable(words.join(" "), look);
  return { font, missing, widths: words.map((word) => widthOf(word, look)) };
}

function widthOf(word: string, look: CaptionLook): number {
  const drawable = makeDrawable(word, look);
  return measureIn(drawable)(word === " " ? " " : drawable.text);
}
