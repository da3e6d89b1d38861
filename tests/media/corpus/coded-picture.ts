/**
 * Draws pictures that encode their own number: two rows of black and white cells (twelve bits, a checksum, and two ends
 * that always differ), a row of color bars, and a disc that is round only with square pixels. Positions are shares of
 * the frame, away from its edges, so that the code survives scaling, compression and cropping by a few percent. The
 * rest is gray, for captions and a watermark.
 */
import type { Frame } from "#tests/support/media/measure.ts";

const BITS = 12;
const CELLS_PER_ROW = 9;
const LEFT = 0.06;
const RIGHT = 0.94;
const CODE_ROWS = [
  [0.06, 0.22],
  [0.22, 0.38],
] as const;
const BAR_ROW = [0.42, 0.58] as const;
/** The diameter is a share of the shorter side. */
const DISC = { x: 0.15, y: 0.78, diameter: 0.24 };
const GRAY = 96;
const BLACK = 16;
const WHITE = 235;
/** Cells closer than this to the middle between black and white are unreadable, as in blended frames. */
const CLEAR = 0.2;

/** Levels from 0 to 255. */
export type BarLevels = readonly [low: number, high: number];
export const PLAIN_BARS: BarLevels = [32, 200];

/** White, yellow, cyan, green, magenta, red, blue, black: bits for red, green and blue at the upper level. */
const BARS = [0b111, 0b110, 0b011, 0b010, 0b101, 0b100, 0b001, 0b000];

export function barColors([low, high]: BarLevels): [red: number, green: number, blue: number][] {
  return BARS.map((bits) => [bits & 4 ? high : low, bits & 2 ? high : low, bits & 1 ? high : low]);
}

/** Returns RGB bytes. `number` is 0 to 4095. */
export function drawCodedPicture(width: number, height: number, number: number, bars: BarLevels): Buffer {
  const data = Buffer.alloc(width * height * 3, GRAY);
  codeCells(number).forEach((bit, i) => {
    fill(data, { width, height }, cellBox(i), bit ? [WHITE, WHITE, WHITE] : [BLACK, BLACK, BLACK]);
  });
  barColors(bars).forEach((color, i) => fill(data, { width, height }, barBox(i), color));
  drawDisc(data, width, height);
  return data;
}

export type CodedPicture = {
  /** Null if unreadable: not drawn by `drawCodedPicture`, blended, mirrored or rotated. */
  number: number | null;
  bars: number[][];
  /** Width over height of the disc. */
  roundness: number;
};

export function readCodedPicture(frame: Frame): CodedPicture {
  const levels = codeCells(0).map((_, i) => brightness(meanColor(frame, inside(cellBox(i)))));
  const bars = BARS.map((_, i) => meanColor(frame, inside(barBox(i))));
  return { number: readNumber(levels), bars, roundness: roundnessOf(frame) };
}

function readNumber(levels: number[]): number | null {
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  if (high - low < 60) return null;
  const shares = levels.map((level) => (level - low) / (high - low));
  if (shares.some((share) => Math.abs(share - 0.5) < CLEAR)) return null;
  const cells = shares.map((share) => share > 0.5);
  const bits = [...cells.slice(1, CELLS_PER_ROW - 1), ...cells.slice(CELLS_PER_ROW)].slice(0, BITS);
  const number = bits.reduce((sum, bit) => sum * 2 + (bit ? 1 : 0), 0);
  return codeCells(number).every((cell, i) => cell === cells[i]) ? number : null;
}

/** Twelve bits of the number and four of a checksum. The upper row starts white and ends black. */
function codeCells(number: number): boolean[] {
  const checksum = (9 ^ number ^ (number >> 4) ^ (number >> 8) ^ (number >> 3)) & 15;
  const bits = Array.from({ length: BITS + 4 }, (_, i) =>
    i < BITS ? ((number >> (BITS - 1 - i)) & 1) === 1 : ((checksum >> (BITS + 3 - i)) & 1) === 1,
  );
  return [true, ...bits.slice(0, CELLS_PER_ROW - 2), false, ...bits.slice(CELLS_PER_ROW - 2)];
}

/** Shares of the frame. */
type Box = { left: number; right: number; top: number; bottom: number };

function cellBox(i: number): Box {
  const [top, bottom] = CODE_ROWS[Math.floor(i / CELLS_PER_ROW)]!;
  return { ...columnOf(i % CELLS_PER_ROW, CELLS_PER_ROW), top, bottom };
}

function barBox(i: number): Box {
  return { ...columnOf(i, BARS.length), top: BAR_ROW[0], bottom: BAR_ROW[1] };
}

function columnOf(i: number, columns: number): Pick<Box, "left" | "right"> {
  const width = (RIGHT - LEFT) / columns;
  return { left: LEFT + i * width, right: LEFT + (i + 1) * width };
}

/** Returns the middle, away from neighboring colors. */
function inside({ left, right, top, bottom }: Box): Box {
  const [x, y] = [(right - left) * 0.3, (bottom - top) * 0.3];
  return { left: left + x, right: right - x, top: top + y, bottom: bottom - y };
}

function fill(data: Buffer, { width, height }: { width: number; height: number }, box: Box, color: number[]): void {
  const [from, to] = [Math.round(box.left * width), Math.round(box.right * width)];
  const row = Buffer.alloc((to - from) * 3, Buffer.from(color));
  for (let y = Math.round(box.top * height); y < Math.round(box.bottom * height); y++)
    row.copy(data, (y * width + from) * 3);
}

/** With a smooth edge, so that its size can be measured below a pixel. */
function drawDisc(data: Buffer, width: number, height: number): void {
  const radius = (DISC.diameter * Math.min(width, height)) / 2;
  const [centerX, centerY] = [DISC.x * width, DISC.y * height];
  for (let y = Math.floor(centerY - radius); y <= centerY + radius; y++) {
    for (let x = Math.floor(centerX - radius); x <= centerX + radius; x++) {
      const share = Math.min(1, Math.max(0, radius - Math.hypot(x + 0.5 - centerX, y + 0.5 - centerY) + 0.5));
      if (share > 0) data.fill(Math.round(GRAY + (WHITE - GRAY) * share), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
}

/** The largest sum of a column or row is the disc's extent. */
function roundnessOf(frame: Frame): number {
  const { width, height } = frame;
  const reach = DISC.diameter * Math.min(width, height) * 0.8;
  const columns = Array.from({ length: Math.round(reach * 2) }, (_, i) => Math.round(DISC.x * width - reach) + i);
  const rows = Array.from({ length: Math.round(reach * 2) }, (_, i) => Math.round(DISC.y * height - reach) + i);
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  const at = (x: number, y: number) => (isInside(x, y) ? (frame.data[(y * width + x) * 3 + 1] ?? 0) : 0);
  const ground = at(Math.round(DISC.x * width), Math.round(DISC.y * height - reach * 0.8));
  const white = at(Math.round(DISC.x * width), Math.round(DISC.y * height));
  const share = (x: number, y: number) => (isInside(x, y) ? Math.max(0, at(x, y) - ground) / (white - ground) : 0);
  const across = Math.max(...rows.map((y) => columns.reduce((sum, x) => sum + share(x, y), 0)));
  const down = Math.max(...columns.map((x) => rows.reduce((sum, y) => sum + share(x, y), 0)));
  return across / down;
}

function meanColor({ width, height, data }: Frame, box: Box): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let pixels = 0;
  for (let y = Math.floor(box.top * height); y < Math.ceil(box.bottom * height); y++) {
    for (let x = Math.floor(box.left * width); x < Math.ceil(box.right * width); x++) {
      for (const c of [0, 1, 2] as const) sum[c] += data[(y * width + x) * 3 + c] ?? 0;
      pixels++;
    }
  }
  return [sum[0] / pixels, sum[1] / pixels, sum[2] / pixels];
}

function brightness(color: readonly number[]): number {
  return (color[0]! + color[1]! + color[2]!) / 3;
}
