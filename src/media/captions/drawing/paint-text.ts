import type { SKRSContext2D } from "@napi-rs/canvas";
import type { CaptionStyle } from "#contract/jobs/jobs.ts";
import { OUTLINE, SHADOW_EDGE, SHADOWS } from "../layout/caption-shape.ts";
import { joinBoxes } from "../layout/joined-boxes.ts";
import type { PlacedLine, TextLayout } from "../layout/lay-out-caption.ts";
import type { Span } from "../layout/place-highlights.ts";
import type { CaptionColors } from "./caption-colors.ts";

/** Share of the font size. */
const BOX_RADIUS = 0.28;

export type Paint = CaptionColors & { highlights?: readonly Span[][] };

export const PAINTERS: Record<CaptionStyle, (context: SKRSContext2D, layout: TextLayout, paint: Paint) => void> = {
  outline: (context, layout, paint) => drawOutlined(context, layout, paint, OUTLINE),
  box: drawBoxed,
  shadow: drawShadowed,
};

/** `outline` is its width, edge to edge, as a share of the font size. */
export function drawOutlined(context: SKRSContext2D, layout: TextLayout, paint: Paint, outline: number): void {
  context.lineJoin = "round";
  context.lineWidth = outline * layout.sizePixels;
  context.strokeStyle = `rgb(${paint.edge})`;
  // All outlines first, so that the next line's outline never covers this line's letters.
  drawLines(context, layout, "strokeText");
  fillLines(context, layout, paint);
}

function drawBoxed(context: SKRSContext2D, layout: TextLayout, paint: Paint): void {
  const { sizePixels, lines, shape } = layout;
  const { ascent, descent, besides } = shape;
  const boxes = lines.map(({ centerX, baselineY, width }) => ({
    left: centerX - width / 2 - besides.x * sizePixels,
    right: centerX + width / 2 + besides.x * sizePixels,
    top: baselineY - (ascent + besides.above) * sizePixels,
    bottom: baselineY + (descent + besides.below) * sizePixels,
  }));
  const corners = joinBoxes(boxes, BOX_RADIUS * sizePixels);
  const [last, first] = [corners.at(-1)!, corners[0]!];
  context.beginPath();
  context.moveTo((last.x + first.x) / 2, (last.y + first.y) / 2);
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % corners.length]!;
    context.arcTo(corner.x, corner.y, (corner.x + next.x) / 2, (corner.y + next.y) / 2, corner.radius);
  });
  context.closePath();
  context.fillStyle = paint.box;
  context.fill();
  fillLines(context, layout, paint);
}

function drawShadowed(context: SKRSContext2D, layout: TextLayout, paint: Paint): void {
  context.fillStyle = paint.letters;
  context.lineJoin = "round";
  context.lineWidth = SHADOW_EDGE.width * layout.sizePixels;
  for (const { blur, offset, opacity } of SHADOWS) {
    context.shadowColor = `rgb(${paint.edge} / ${opacity * 100}%)`;
    context.shadowBlur = blur * layout.sizePixels;
    context.shadowOffsetY = offset * layout.sizePixels;
    drawLines(context, layout, "fillText");
  }
  context.shadowColor = "transparent";
  context.strokeStyle = `rgb(${paint.edge} / ${SHADOW_EDGE.opacity * 100}%)`;
  drawLines(context, layout, "strokeText");
  // Fills the letters again, because the next line's shadow may cover them.
  fillLines(context, layout, paint);
}

function drawLines(context: SKRSContext2D, { lines }: TextLayout, verb: "strokeText" | "fillText"): void {
  for (const line of lines) drawLine(context, line, verb);
}

function drawLine(
  context: SKRSContext2D,
  { text, isRightToLeft, centerX, baselineY }: PlacedLine,
  verb: "strokeText" | "fillText",
): void {
  context.textAlign = "center";
  context.direction = isRightToLeft ? "rtl" : "ltr";
  context[verb](text, centerX, baselineY);
}

function fillLines(
  context: SKRSContext2D,
  { lines }: TextLayout,
  { letters, highlight, highlights = [] }: Pick<Paint, "letters" | "highlight" | "highlights">,
): void {
  for (const [i, line] of lines.entries()) {
    const spans = highlights[i] ?? [];
    context.fillStyle = letters;
    clipped(context, spans, "outside", () => drawLine(context, line, "fillText"));
    if (spans.length === 0) continue;
    context.fillStyle = highlight;
    clipped(context, spans, "inside", () => drawLine(context, line, "fillText"));
  }
}

const ENDLESS = 1e5;

function clipped(
  context: SKRSContext2D,
  spans: readonly Span[],
  side: "inside" | "outside",
  drawAll: () => void,
): void {
  if (spans.length === 0) return drawAll();
  context.save();
  context.beginPath();
  if (side === "outside") context.rect(-ENDLESS, -ENDLESS, 2 * ENDLESS, 2 * ENDLESS);
  for (const { left, right } of spans) context.rect(left, -ENDLESS, right - left, 2 * ENDLESS);
  context.clip("evenodd");
  drawAll();
  context.restore();
}
