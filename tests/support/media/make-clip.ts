/** Generates clips and tones, so that the repository contains none. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { runTestFfmpeg } from "./media-tools.ts";

export type ClipOptions = {
  width?: number;
  height?: number;
  framesPerSecond?: number;
  seconds?: number;
  /** By default, a moving test pattern. */
  color?: string;
  /** A lavfi source with its own size, rate and duration. */
  picture?: string;
  /** Null omits the audio stream. */
  toneHz?: number | null;
  /** Amplitude, 0 to 1. */
  level?: number;
  videoCodec?: "libx264" | "libvpx-vp9" | "mpeg4";
  audioCodec?: "aac" | "libopus" | "pcm_s16le";
  sampleRate?: number;
  channels?: 1 | 2;
  /** Clockwise rotation by players, in degrees (MP4 only). */
  rotation?: 0 | 90 | 180 | 270;
  outputOptions?: string[];
};

/** The extension of `path` determines the container. */
export async function makeClip(path: string, options: ClipOptions = {}): Promise<void> {
  const { width = 320, height = 240, framesPerSecond = 30, seconds = 2, toneHz = 440, level = 0.25 } = options;
  const { videoCodec = "libx264", audioCodec = "aac", sampleRate = 48_000, channels = 2 } = options;
  const size = `${width}x${height}`;
  const source = options.color ? `color=c=${options.color}:s=${size}` : `testsrc2=s=${size}`;
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", options.picture ?? `${source}:r=${framesPerSecond}:d=${seconds}`],
    ...(toneHz === null
      ? []
      : ["-f", "lavfi", "-i", toneSource({ frequencyHz: toneHz, seconds, level, sampleRate, channels })]),
    ...["-t", String(seconds), "-c:v", videoCodec, ...FAST_ENCODING[videoCodec], "-pix_fmt", "yuv420p"],
    ...(toneHz === null ? [] : ["-c:a", audioCodec]),
    ...(options.outputOptions ?? []),
    path,
  ]);
  if (options.rotation) await turnClip(path, options.rotation);
}

const FAST_ENCODING = {
  libx264: ["-preset", "ultrafast", "-crf", "18"],
  "libvpx-vp9": ["-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M"],
  mpeg4: ["-q:v", "3"],
};

export type ToneOptions = {
  frequencyHz: number;
  seconds: number;
  /** Amplitude, 0 to 1. */
  level?: number;
  /** By default, from the extension. */
  container?: string;
  sampleRate?: number;
  channels?: 1 | 2;
  outputOptions?: string[];
};

/** Writes a sine tone, stereo at 48 kHz by default, and overwrites an existing file. Rejects with ffmpeg's errors. */
export async function makeTone(path: string, options: ToneOptions): Promise<void> {
  const { level = 0.25, sampleRate = 48_000, channels = 2 } = options;
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", toneSource({ ...options, level, sampleRate, channels })],
    ...(options.outputOptions ?? []),
    ...(options.container ? ["-f", options.container] : []),
    path,
  ]);
}

function toneSource(tone: {
  frequencyHz: number;
  seconds: number;
  level: number;
  sampleRate: number;
  channels: 1 | 2;
}): string {
  const wave = `${tone.level}*sin(2*PI*${tone.frequencyHz}*t)`;
  const channels = Array.from({ length: tone.channels }, () => wave).join("|");
  return `aevalsrc=exprs=${channels}:s=${tone.sampleRate}:d=${tone.seconds}`;
}

const TURNS = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] };

/** Writes the rotation into the first track's header, as phones do. ffmpeg's option needs version 6. */
async function turnClip(path: string, rotation: 90 | 180 | 270): Promise<void> {
  const file = await readFile(path);
  const header = file.indexOf("tkhd");
  if (header < 0) throw new Error(`${path} has no track header.`);
  // Version 0: 4 bytes each for name, version, two times, id, reserved and duration, then 16 bytes before the matrix.
  const matrix = header + 44;
  const [a, b, c, d] = TURNS[rotation] as [number, number, number, number];
  for (const [offset, value] of [
    [0, a],
    [4, b],
    [12, c],
    [16, d],
  ] as const) {
    file.writeInt32BE(value * 65_536, matrix + offset);
  }
  await writeFile(`${path}.turned`, file);
  await rename(`${path}.turned`, path);
}
