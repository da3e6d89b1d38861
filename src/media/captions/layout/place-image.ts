import type { Size } from "../../plan/fit-size.ts";
import { type Area, type Box, type Frame, type Place, placeWithin, safeAreaOf } from "./frame-areas.ts";

/** `size` is a share of the frame's width. */
export type ImagePlacement = Place & { size: number; opacity: number };

/** Between image and text. Share of the frame's shorter side. */
const GAP = 0.015;

/**
 * Rounds to even pixels, because chroma has half the resolution. The image is smaller than asked if the safe area has
 * no room. One that would touch `clearOf` is placed above it.
 */
export function placeImage(image: Size, placement: ImagePlacement, frame: Frame, clearOf: Box | null): Box {
  const area = safeAreaOf(frame);
  const box = placeIn(area, image, placement, frame);
  if (!clearOf || !touches(box, clearOf)) return box;
  const gap = Math.min(frame.width, frame.height) * GAP;
  return placeIn({ ...area, bottom: clearOf.y - gap }, image, placement, frame);
}

function placeIn(area: Area, image: Size, placement: ImagePlacement, frame: Frame): Box {
  const most = { width: area.right - area.left, height: area.bottom - area.top };
  const scale = Math.min(
    (frame.width * placement.size) / image.width,
    most.width / image.width,
    most.height / image.height,
  );
  const size = { width: evenSize(image.width * scale), height: evenSize(image.height * scale) };
  const { x, y } = placeWithin(area, size, placement, frame);
  return { x: evenPlace(x), y: evenPlace(y), ...size };
}

function evenPlace(pixels: number): number {
  return Math.max(0, 2 * Math.round(pixels / 2));
}

function evenSize(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}

function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
