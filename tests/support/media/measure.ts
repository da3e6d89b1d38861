/** Independent of the product's code. */
import { readdir, readFile } from "node:fs/promises";
import { readInputReport } from "#media/probe/input-report.ts";
import { readTestFfmpeg, tryTestFfmpeg } from "./media-tools.ts";

export type MeasuredStream = {
  type: "video" | "audio" | "other";
  codec: string;
  width: number;
  height: number;
  pixelFormat: string;
  sampleRate: number;
  channels: number;
  durationSeconds: number;
  packets: number;
};

/** Rejects for an unreadable file. */
export async function probeFile(
  path: string,
): Promise<{ formatName: string; durationSeconds: number; streams: MeasuredStream[] }> {
  const copy = ["-map", "0", "-ignore_unknown", "-c", "copy", "-copyinkf", "-f", "framecrc", "pipe:1"];
  const { stdout, stderr } = await readTestFfmpeg(["-nostdin", "-hide_banner", "-copyts", "-i", path, ...copy]);
  const report = readInputReport(stderr.split(/^Stream mapping:$/m)[0]!.split("\n"));
  if (!report) throw new Error(`ffmpeg reports nothing of ${path}.`);
  const packets = Buffer.from(stdout).toString();
  const spans = report.streams.map(({ index }) => packetSpan(packets, index));
  const present = spans.filter(({ packets }) => packets > 0);
  const start = Math.max(0, Math.min(...present.map(({ from }) => from)));
  return {
    formatName: report.formatName,
    durationSeconds: Math.max(...present.map(({ to }) => to)) - start,
    streams: report.streams.map((stream, i) => ({
      type: stream.type === "video" || stream.type === "audio" ? stream.type : "other",
      codec: stream.codec,
      width: stream.width,
      height: stream.height,
      pixelFormat: stream.pixelFormat ?? "",
      sampleRate: stream.sampleRate,
      channels: stream.channels,
      durationSeconds: spans[i]!.to - Math.max(0, spans[i]!.from),
      packets: spans[i]!.packets,
    })),
  };
}

function packetSpan(list: string, index: number): { packets: number; from: number; to: number } {
  const [, above, below] = new RegExp(`^#tb ${index}: (\\d+)/(\\d+)$`, "m").exec(list) ?? [];
  const unit = Number(above) / Number(below);
  const times = [...list.matchAll(new RegExp(`^${index}, *-?\\d+, *(-?\\d+), *(-?\\d+),`, "gm"))].map(
    ([, time, duration]) => [Number(time), Number(time) + Number(duration)] as const,
  );
  if (times.length === 0) return { packets: 0, from: Number.NaN, to: Number.NaN };
  const [from, to] = times.reduce(([from, to], [begin, end]) => [Math.min(from, begin), Math.max(to, end)]);
  return { packets: times.length, from: from * unit, to: to * unit };
}

/** In seconds; NaN for a missing stream. */
export async function durations(path: string): Promise<{ container: number; video: number; audio: number }> {
  const { durationSeconds, streams } = await probeFile(path);
  const of = (type: string) => streams.find((stream) => stream.type === type)?.durationSeconds ?? Number.NaN;
  return { container: durationSeconds, video: of("video"), audio: of("audio") };
}

/** Three bytes (red, green, blue) per pixel, row by row. */
export type Frame = { width: number; height: number; data: Uint8Array };

/** Returns the frame shown at `atSeconds`, upright. */
export async function framePixels(path: string, atSeconds: number): Promise<Frame> {
  // Still pictures have no timestamps to seek to.
  const seek = atSeconds > 0 ? ["-ss", String(atSeconds)] : [];
  const args = ["-v", "error", ...seek, "-i", path, "-frames:v", "1", "-c:v", "ppm", "-f", "image2pipe", "-"];
  const { stdout } = await readTestFfmpeg(args);
  // PPM: "P6", width, height and 255 as text, then the pixels.
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(stdout.subarray(0, 64)).toString("latin1"));
  if (!header) throw new Error(`${path} has no frame at ${atSeconds} s.`);
  return { width: Number(header[1]), height: Number(header[2]), data: stdout.subarray(header[0].length) };
}

/**
 * Returns a pixel's channels, 0-255. Counts from the upper left, rounds coordinates down, and does not check bounds.
 */
export function pixelAt(frame: Frame, x: number, y: number): { red: number; green: number; blue: number } {
  const at = (Math.floor(y) * frame.width + Math.floor(x)) * 3;
  return { red: frame.data[at] ?? 0, green: frame.data[at + 1] ?? 0, blue: frame.data[at + 2] ?? 0 };
}

/** Returns the bounding box (inclusive) and number of matching pixels, or null. */
export function boxOfPixels(
  frame: Frame,
  matches: (pixel: { red: number; green: number; blue: number }) => boolean,
): { left: number; right: number; top: number; bottom: number; count: number } | null {
  const box = { left: frame.width, right: -1, top: frame.height, bottom: -1, count: 0 };
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      if (!matches(pixelAt(frame, x, y))) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      box.count++;
    }
  }
  return box.count > 0 ? box : null;
}

/** Returns the share (0-1) of pixels that differ by more than `tolerance` in any channel. Sizes must be equal. */
export function shareOfDifferentPixels(a: Frame, b: Frame, tolerance = 24): number {
  let different = 0;
  for (let i = 0; i < a.data.length; i += 3) {
    const isDifferent = [0, 1, 2].some((c) => Math.abs((a.data[i + c] ?? 0) - (b.data[i + c] ?? 0)) > tolerance);
    if (isDifferent) different++;
  }
  return different / (a.data.length / 3);
}

const SAMPLE_RATE = 48_000;

/** Returns the left channel at 48 kHz. */
export async function soundSamples(
  path: string,
  range: { fromSeconds?: number; toSeconds?: number } = {},
): Promise<Float32Array> {
  const args = ["-v", "error", "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-ar", String(SAMPLE_RATE)];
  const { stdout } = await readTestFfmpeg([...args, "-f", "f32le", "-"]);
  const samples = new Float32Array(stdout.slice().buffer, 0, Math.floor(stdout.byteLength / 4));
  const { fromSeconds = 0, toSeconds = samples.length / SAMPLE_RATE } = range;
  return samples.subarray(Math.round(fromSeconds * SAMPLE_RATE), Math.round(toSeconds * SAMPLE_RATE));
}

/** Returns a frequency's level (Goertzel) in dB relative to full scale; about -100 if absent. */
export async function toneLevelDb(
  path: string,
  frequencyHz: number,
  range: { fromSeconds?: number; toSeconds?: number } = {},
): Promise<number> {
  const samples = await soundSamples(path, range);
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / SAMPLE_RATE);
  let last = 0;
  let beforeLast = 0;
  let windowSum = 0;
  samples.forEach((sample, i) => {
    // A Hann window keeps a loud tone from leaking into neighboring frequencies.
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / samples.length);
    windowSum += weight;
    [beforeLast, last] = [last, sample * weight + coefficient * last - beforeLast];
  });
  const power = last ** 2 + beforeLast ** 2 - coefficient * last * beforeLast;
  const amplitude = (2 * Math.sqrt(Math.max(0, power))) / windowSum;
  return 20 * Math.log10(Math.max(amplitude, 1e-5));
}

/** Returns "" if the whole file decodes without errors. */
export async function readDecodeErrors(path: string): Promise<string> {
  const args = ["-v", "error", "-xerror", "-i", path, "-map", "0", "-f", "null", "-"];
  const result = await tryTestFfmpeg(args);
  return result.exitCode === 0 ? result.stderr : `exit code ${result.exitCode}: ${result.stderr}`;
}

/** Returns process ids. */
export async function processesNaming(text: string): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const named = await Promise.all(
    // The process may exit in the meantime.
    ids.map(async (id) => (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")).includes(text)),
  );
  return ids.filter((_, i) => named[i]).map(Number);
}

/** Measures with ffmpeg's ebur128 filter; -Infinity for silence. */
export async function loudnessOf(path: string): Promise<{ integratedLufs: number; truePeakDb: number }> {
  const args = ["-nostdin", "-hide_banner", "-i", path, "-map", "0:a:0", "-af", "ebur128=peak=true", "-f", "null", "-"];
  const { stderr } = await readTestFfmpeg(args);
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  const read = (pattern: RegExp) => Number((pattern.exec(summary)?.[1] ?? "NaN").replace("-inf", "-Infinity"));
  return { integratedLufs: read(/I: +(\S+) LUFS/), truePeakDb: read(/Peak: +(\S+) dBFS/) };
}
