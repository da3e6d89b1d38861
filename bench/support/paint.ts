import type { SKRSContext2D } from "@napi-rs/canvas";

/** Generates numbers from 0 to 1, the same on every machine (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Independent of the scale that the layer is painted at. */
function sizeOf(context: SKRSContext2D): { width: number; height: number } {
  const { a: scale } = context.getTransform();
  return { width: context.canvas.width / scale, height: context.canvas.height / scale };
}

/** Positions are 0 to 1. */
export function fillDown(context: SKRSContext2D, stops: readonly (readonly [number, string])[]): void {
  const { width, height } = sizeOf(context);
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [place, color] of stops) gradient.addColorStop(place, color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

export function glow(
  context: SKRSContext2D,
  x: number,
  y: number,
  radius: number,
  rgb: string,
  strength: number,
): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgb(${rgb} / ${strength})`);
  gradient.addColorStop(0.35, `rgb(${rgb} / ${strength * 0.4})`);
  gradient.addColorStop(1, `rgb(${rgb} / 0)`);
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}
