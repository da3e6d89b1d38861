/** Sample tables of ISO/IEC 14496-12, 8.6 and 8.7. */
import { box, numbers } from "./boxes.ts";

/** In decoding order. Times are in units of the track's time scale. */
export type Samples = {
  sizes: Int32Array;
  durations: Int32Array;
  /** From decoding to display. */
  delays: Int32Array;
  /** Null if all samples are keyframes. */
  keyframes: Int32Array | null;
};

/** Takes boxes by name. Returns null if one is missing or describes other samples. */
export function readSamples(boxes: ReadonlyMap<string, Buffer>): Samples | null {
  const [sizesBox, durationsBox, delaysBox] = ["stsz", "stts", "ctts"].map((name) => boxes.get(name));
  if (!sizesBox || !durationsBox) return null;
  const sizes = readSizes(sizesBox);
  const durations = readRuns(durationsBox, sizes.length);
  const delays = delaysBox ? readRuns(delaysBox, sizes.length) : new Int32Array(sizes.length);
  const keyframesBox = boxes.get("stss");
  const keyframes = keyframesBox ? readNumbers(keyframesBox, 8, keyframesBox.readUInt32BE(4)).map((n) => n - 1) : null;
  return durations && delays && { sizes, durations, delays, keyframes };
}

export function sampleBoxes({ sizes, durations, delays, keyframes }: Samples): Buffer[] {
  const isDelayed = delays.some((delay) => delay !== 0);
  // Version 1 has signed values.
  const version = delays.some((delay) => delay < 0) ? 0x0100_0000 : 0;
  const numbersOfKeyframes = keyframes?.map((index) => index + 1);
  return [
    box("stts", numbers([0]), runsOf(durations)),
    ...(numbersOfKeyframes ? [box("stss", numbers([0, numbersOfKeyframes.length]), numbers(numbersOfKeyframes))] : []),
    ...(isDelayed ? [box("ctts", numbers([version]), runsOf(delays))] : []),
    box("stsz", numbers([0, 0, sizes.length]), numbers(sizes)),
  ];
}

export function sliceSamples({ sizes, durations, delays, keyframes }: Samples, first: number, end: number): Samples {
  return {
    sizes: sizes.subarray(first, end),
    durations: durations.subarray(first, end),
    delays: delays.subarray(first, end),
    keyframes: keyframes?.filter((index) => index >= first && index < end).map((index) => index - first) ?? null,
  };
}

export function sum(values: Int32Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function readSizes(content: Buffer): Int32Array {
  const [common, count] = [content.readUInt32BE(4), content.readUInt32BE(8)];
  return common > 0 ? new Int32Array(count).fill(common) : readNumbers(content, 12, count);
}

function readNumbers(content: Buffer, from: number, count: number): Int32Array {
  const values = new Int32Array(count);
  for (let i = 0; i < count; i++) values[i] = content.readInt32BE(from + i * 4);
  return values;
}

/** Expands pairs of count and value. Returns null unless they cover `count` samples. */
function readRuns(content: Buffer, count: number): Int32Array | null {
  const values = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < content.readUInt32BE(4); i++) {
    const end = at + content.readUInt32BE(8 + i * 8);
    if (end > count) return null;
    values.fill(content.readInt32BE(12 + i * 8), at, end);
    at = end;
  }
  return at === count ? values : null;
}

function runsOf(values: Int32Array): Buffer {
  const runs: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (i > 0 && values[i] === values[i - 1]) runs[runs.length - 2]! += 1;
    else runs.push(1, values[i]!);
  }
  return Buffer.concat([numbers([runs.length / 2]), numbers(runs)]);
}
