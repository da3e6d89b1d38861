import { execa } from "execa";
import { testTools } from "#tests/support/media/media-tools.ts";

/** Side of the blocks that are weighted together, in a picture of 3840x2160. */
const BLOCK = 128;
const UHD_PIXELS = 3_840 * 2_160;
const PEAK = 255;
/** Weight of the change between frames, relative to that within a frame. */
const GAMMA = 2;
/** Noise below this activity hides nothing. */
const LEAST_ACTIVITY = 4;

type Size = { width: number; height: number };

/**
 * Returns XPSNR of the luma plane in decibels: PSNR with less weight on errors where the picture is busy or moving.
 * Matches ffmpeg's `xpsnr` filter up to 2048x1152 and 31 frames per second: C. R. Helmrich and others, "XPSNR: A
 * Low-Complexity Extension of the Perceptually Weighted Peak Signal-to-Noise Ratio", ICASSP 2020; filter in FFmpeg 7.1.
 * Both videos must have this size and equally many frames.
 */
export async function measureXpsnr(video: string, reference: string, size: Size): Promise<number> {
  const [ours, theirs] = [readLuma(video, size), readLuma(reference, size)];
  let before: Uint8Array | null = null;
  let [distortion, frames] = [0, 0];
  for await (const original of theirs) {
    const { value: coded, done } = await ours.next();
    if (done) break;
    distortion += Math.sqrt(weightedError(original, before, coded, size));
    frames++;
    before = original;
  }
  return 10 * Math.log10((size.width * size.height * PEAK ** 2) / (distortion / frames) ** 2);
}

function weightedError(original: Uint8Array, before: Uint8Array | null, coded: Uint8Array, size: Size): number {
  const { width, height } = size;
  const share = (width * height) / UHD_PIXELS;
  const side = 4 * Math.floor((BLOCK / 4) * Math.sqrt(share) + 0.5);
  const average = Math.sqrt((16 * 2 ** (2 * 8 - 9)) / Math.sqrt(share));
  let sum = 0;
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const [bottom, right] = [Math.min(height, top + side), Math.min(width, left + side)];
      let [error, change, detail, inner] = [0, 0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left, x = left; x < right; x++, i++) {
          const value = original[i]!;
          error += (value - coded[i]!) ** 2;
          change += Math.abs(value - (before?.[i] ?? 0));
          if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
          const [up, down] = [i - width, i + width];
          const beside = original[i - 1]! + original[i + 1]! + original[up]! + original[down]!;
          const corners = original[up - 1]! + original[up + 1]! + original[down - 1]! + original[down + 1]!;
          detail += Math.abs(12 * value - 2 * beside - corners);
          inner++;
        }
      }
      const activity = detail / inner + (GAMMA * change) / ((bottom - top) * (right - left));
      sum += (error * average) / Math.max(LEAST_ACTIVITY, activity);
    }
  }
  return sum;
}

async function* readLuma(path: string, { width, height }: Size): AsyncGenerator<Uint8Array, undefined> {
  const { ffmpeg } = await testTools();
  const args = ["-nostdin", "-v", "error", "-i", path, "-vf", "extractplanes=y", "-f", "rawvideo", "-"];
  const decoder = execa(ffmpeg, args, { encoding: "buffer", buffer: false });
  let frame = new Uint8Array(width * height);
  let filled = 0;
  for await (const chunk of decoder.iterable({ binary: true, preserveNewlines: true })) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + frame.length - filled);
      frame.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < frame.length) continue;
      yield frame;
      frame = new Uint8Array(frame.length);
      filled = 0;
    }
  }
  await decoder;
  return undefined;
}
