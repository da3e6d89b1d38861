import { soundSamples } from "../measure.ts";
import { shownFrames } from "../measure-timing.ts";

const SAMPLE_RATE = 48_000;
const QUIET_SECONDS = 0.2;

/** In seconds. */
export async function flashTimes(path: string): Promise<number[]> {
  const frames = await shownFrames(path, "first stream");
  const isBright = (i: number) => (frames[i]?.brightness ?? 0) > 128;
  return frames.filter((_, i) => isBright(i) && !isBright(i - 1)).map(({ seconds }) => seconds);
}

/** In seconds after a silence. */
export async function beepTimes(path: string): Promise<number[]> {
  const samples = await soundSamples(path);
  const times: number[] = [];
  let lastLoud = -Infinity;
  samples.forEach((sample, i) => {
    if (Math.abs(sample) < 0.08) return;
    if (i - lastLoud > QUIET_SECONDS * SAMPLE_RATE) times.push(i / SAMPLE_RATE);
    lastLoud = i;
  });
  return times;
}
