import type { SKRSContext2D } from "@napi-rs/canvas";
import { randomFrom, sizeOf } from "./scene.ts";

/** Noise in octaves of decreasing strength. `reach` is the width of the largest hills in pixels. */
export function ridgeLine(seed: number, reach: number, height: number): (x: number) => number {
  const random = randomFrom(seed);
  const octaves = Array.from({ length: 6 }, (_, i) => ({
    step: reach / 2 ** i,
    weight: 0.52 ** i,
    values: Array.from({ length: 96 }, random),
  }));
  const whole = octaves.reduce((sum, { weight }) => sum + weight, 0);
  return (x) =>
    octaves.reduce((sum, { step, weight, values }) => {
      const place = x / step + 7;
      const left = Math.floor(place);
      const part = place - left;
      const at = (i: number) => values[((i % values.length) + values.length) % values.length]!;
      const smooth = step > 40 ? part * part * (3 - 2 * part) : part;
      return sum + weight * (at(left) * (1 - smooth) + at(left + 1) * smooth);
    }, 0) *
    (height / whole);
}

export function fillRidge(
  context: SKRSContext2D,
  lineAt: (x: number) => number,
  look: { top: string; foot: string; footAt: number; edge: string },
): void {
  const { width, height } = sizeOf(context);
  context.beginPath();
  context.moveTo(0, lineAt(0));
  for (let x = 2; x <= width; x += 2) context.lineTo(x, lineAt(x));
  context.strokeStyle = look.edge;
  context.lineWidth = 3;
  context.stroke();
  context.lineTo(width, height);
  context.lineTo(0, height);
  context.closePath();
  const gradient = context.createLinearGradient(0, 0, 0, look.footAt);
  gradient.addColorStop(0, look.top);
  gradient.addColorStop(1, look.foot);
  context.fillStyle = gradient;
  context.fill();
}

export function pine(
  context: SKRSContext2D,
  at: { x: number; y: number; tall: number },
  look: { color: string; snow?: string; random: () => number },
): void {
  const { x, y, tall } = at;
  const { color, snow, random } = look;
  context.lineCap = "round";
  branch(context, { color, thick: tall * 0.022 }, [x, y, x, y - tall * 0.5, x, y - tall * 0.97]);
  const branches = Math.round(50 + tall * 0.75);
  for (let i = 0; i < branches; i += 1) {
    // From the bottom up, so that upper branches cover lower ones.
    const up = 0.1 + 0.88 * ((i + random()) / branches);
    const side = random() < 0.5 ? -1 : 1;
    const reach = side * tall * (0.012 + 0.21 * (1 - up) ** 0.85) * (0.45 + 0.6 * random());
    const top = y - tall * up;
    const droop = Math.abs(reach) * (0.3 + 0.35 * random());
    const thick = Math.max(1.2, tall * (0.007 + 0.01 * (1 - up)) * (0.6 + 0.8 * random()));
    const path: Curve = [x, top, x + reach * 0.5, top + droop * 0.25, x + reach, top + droop];
    branch(context, { color, thick }, path);
    if (snow && random() < 0.55) {
      const lifted = path.map((value, place) => (place % 2 === 0 ? value : value - thick * 0.5)) as Curve;
      branch(context, { color: snow, thick: thick * (0.35 + 0.4 * random()) }, lifted);
    }
  }
}

type Curve = [number, number, number, number, number, number];

function branch(context: SKRSContext2D, { color, thick }: { color: string; thick: number }, curve: Curve): void {
  const [fromX, fromY, ...rest] = curve;
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.quadraticCurveTo(...rest);
  context.stroke();
}
