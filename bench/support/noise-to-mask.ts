/**
 * Measures audible noise of a lossy sound: the noise-to-mask ratio after ITU-R BS.1387 (PEAQ), section 2.1.4, with
 * bands of half a Bark and without temporal smearing. Only good for comparing encoders.
 */
import { execa } from "execa";
import { testTools } from "#tests/support/media/media-tools.ts";

const SAMPLE_RATE = 48_000;
const FRAME = 2_048;
const HOP = FRAME / 2;
const BARK_STEP = 0.5;
/** Slopes of masking towards lower and higher bands, in decibels per Bark. */
const SLOPES = { down: 27, up: 12 };
/** Per band, 96 dB below full scale. */
const HEARING_FLOOR = 10 ** -9.6;
/** PEAQ's limit for a disturbed frame. */
const DISTURBED_DB = 1.5;

export type AudibleNoise = {
  /** Mean over frames and bands in decibels; below about -9 is transparent to most listeners. */
  noiseToMaskDb: number;
  /** Share of frames, 0 to 1, with audible noise in any band. */
  disturbedShare: number;
};

/** Compares left channels sample by sample. */
export async function measureAudibleNoise(encoded: string, original: string): Promise<AudibleNoise> {
  const [test, reference] = await Promise.all([samplesOf(encoded), samplesOf(original)]);
  const frames = Math.floor((Math.min(test.length, reference.length) - FRAME) / HOP);
  let sum = 0;
  let counted = 0;
  let disturbed = 0;
  for (let i = 0; i < frames; i++) {
    const at = i * HOP;
    const mask = maskOf(bandPowers(reference.subarray(at, at + FRAME)));
    const noise = bandPowers(reference.subarray(at, at + FRAME).map((sample, n) => sample - test[at + n]!));
    const ratios = noise.map((power, band) => (power + 1e-14) / (mask[band]! + HEARING_FLOOR));
    if (Math.max(...mask) < HEARING_FLOOR) continue;
    counted++;
    sum += ratios.reduce((total, ratio) => total + ratio, 0) / ratios.length;
    if (10 * Math.log10(Math.max(...ratios)) > DISTURBED_DB) disturbed++;
  }
  return { noiseToMaskDb: 10 * Math.log10(sum / counted), disturbedShare: disturbed / counted };
}

async function samplesOf(path: string): Promise<Float32Array> {
  const { ffmpeg } = await testTools();
  const args = ["-v", "error", "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-ar", String(SAMPLE_RATE)];
  const { stdout } = await execa(ffmpeg, [...args, "-f", "f32le", "-"], { encoding: "buffer" });
  return new Float32Array(stdout.slice().buffer, 0, Math.floor(stdout.byteLength / 4));
}

const WINDOW = Float64Array.from({ length: FRAME }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / FRAME));
const BANDS = Array.from({ length: FRAME / 2 }, (_, bin) =>
  Math.floor(barkOf((bin * SAMPLE_RATE) / FRAME) / BARK_STEP),
);
const BAND_COUNT = BANDS.at(-1)! + 1;

function barkOf(hertz: number): number {
  return 7 * Math.asinh(hertz / 650);
}

function bandPowers(samples: ArrayLike<number>): number[] {
  const real = WINDOW.map((weight, n) => weight * samples[n]!);
  const imaginary = new Float64Array(FRAME);
  transform(real, imaginary);
  const powers = Array.from({ length: BAND_COUNT }, () => 0);
  for (const [bin, band] of BANDS.entries())
    powers[band]! += (real[bin]! ** 2 + imaginary[bin]! ** 2) / (FRAME / 4) ** 2;
  return powers;
}

/** Spreads each band's power to the level that it masks in its neighbors. */
function maskOf(powers: readonly number[]): number[] {
  return powers.map((_, band) => {
    const spread = powers.reduce((sum, power, from) => {
      const barks = (band - from) * BARK_STEP;
      const fall = barks < 0 ? -barks * SLOPES.down : barks * SLOPES.up;
      return sum + power * 10 ** (-fall / 10);
    }, 0);
    const bark = band * BARK_STEP;
    return spread * 10 ** (-(bark <= 12 ? 3 : 0.25 * bark) / 10);
  });
}

/** In place; the length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const length = real.length;
  for (let i = 1, j = 0; i < length; i++) {
    let bit = length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [real[i], real[j]] = [real[j]!, real[i]!];
      [imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!];
    }
  }
  for (let size = 2; size <= length; size *= 2) {
    const angle = (-2 * Math.PI) / size;
    for (let at = 0; at < length; at += size) {
      for (let k = 0; k < size / 2; k++) {
        const [cosine, sine] = [Math.cos(angle * k), Math.sin(angle * k)];
        const [low, high] = [at + k, at + k + size / 2];
        const re = real[high]! * cosine - imaginary[high]! * sine;
        const im = real[high]! * sine + imaginary[high]! * cosine;
        [real[high], imaginary[high]] = [real[low]! - re, imaginary[low]! - im];
        real[low]! += re;
        imaginary[low]! += im;
      }
    }
  }
}
