import { captionAreaOf, safeAreaOf } from "#media/captions/layout/frame-areas.ts";
import type { RenderedOutput } from "#media/render/render.ts";
import { type Frame, probeFile } from "#tests/support/media/measure.ts";
import { decodeFrames, decodeSamples, SAMPLE_RATE } from "#tests/support/media/measure-timing.ts";
import { type CodedPicture, readCodedPicture } from "./coded-picture.ts";

/** Right of the disc and below the bars, as shares of the frame. */
const DRAWINGS = { left: 0.33, top: 0.6 };
/** Letters are this much brighter than the gray around them. */
const LETTER_CONTRAST = 45;

export type MeasuredFrame = CodedPicture & {
  /** With all outputs played one after another. */
  seconds: number;
  captionPixels: number;
  watermarkPixels: number;
};

export type Measured = {
  width: number;
  height: number;
  frames: MeasuredFrame[];
  pictureSeconds: number;
  /** Sound minus picture, for the output with the largest difference; null without sound. */
  soundExcessSeconds: number | null;
  /** All sounds in a row, each starting with its picture. */
  samples: Float32Array;
  /** False reports by the renderer: no clip has anything missing. */
  misreported: string[];
};

/** As if played one after another. `matrix` is for pictures that name none. */
export async function measureOutputs(outputs: RenderedOutput[], matrix?: string): Promise<Measured> {
  const parts = await Promise.all(outputs.map((output) => measureOutput(output, matrix)));
  const [first] = parts;
  const pictureSeconds = parts.reduce((sum, part) => sum + part.pictureSeconds, 0);
  const samples = new Float32Array(Math.ceil((pictureSeconds + 1) * SAMPLE_RATE) + longest(parts));
  const frames: MeasuredFrame[] = [];
  let playedSeconds = 0;
  for (const part of parts) {
    for (const frame of part.frames) frames.push({ ...frame, seconds: frame.seconds + playedSeconds });
    samples.set(part.samples ?? [], Math.round(playedSeconds * SAMPLE_RATE));
    playedSeconds += part.pictureSeconds;
  }
  const excesses = parts.flatMap(({ samples, pictureSeconds }) =>
    samples ? [samples.length / SAMPLE_RATE - pictureSeconds] : [],
  );
  return {
    ...{ width: first?.width ?? 0, height: first?.height ?? 0, frames, pictureSeconds, samples },
    soundExcessSeconds: excesses.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null,
    misreported: parts.flatMap((part) => part.misreported),
  };
}

function longest(parts: { samples: Float32Array | null }[]): number {
  return Math.max(0, ...parts.map(({ samples }) => samples?.length ?? 0));
}

async function measureOutput(output: RenderedOutput, matrix: string | undefined) {
  const { streams } = await probeFile(output.path);
  const hasSound = streams.some(({ type }) => type === "audio");
  const [decoded, samples] = await Promise.all([
    decodeFrames(output.path, matrix),
    hasSound ? decodeSamples(output.path) : null,
  ]);
  const { width = 0, height = 0 } = decoded[0]?.pixels ?? {};
  const last = decoded.at(-1);
  const pictureSeconds = last ? last.seconds + last.durationSeconds : 0;
  const frames = decoded.map(({ seconds, pixels }) =>
    Object.assign(readCodedPicture(pixels), countLetters(pixels), { seconds }),
  );
  const warnings = [...output.warnings.values()].flat();
  const misreported = [
    ...warnings.map(({ message }) => `there is a warning: ${message}`),
    ...(output.width === width && output.height === height
      ? []
      : [`${output.width}x${output.height} is reported, the file has ${width}x${height}`]),
    ...(Math.abs(output.durationSeconds - pictureSeconds) < 0.1
      ? []
      : [`${output.durationSeconds.toFixed(2)} s are reported, the picture lasts ${pictureSeconds.toFixed(2)} s`]),
  ];
  return { width, height, frames, pictureSeconds, samples, misreported };
}

function countLetters(frame: Frame): { captionPixels: number; watermarkPixels: number } {
  const captionBottom = captionAreaOf(frame).bottom;
  const left = DRAWINGS.left * frame.width;
  return {
    captionPixels: countBright(frame, { left, top: DRAWINGS.top * frame.height, bottom: captionBottom }),
    watermarkPixels: countBright(frame, { left, top: captionBottom + 1, bottom: safeAreaOf(frame).bottom }),
  };
}

function countBright(frame: Frame, area: { left: number; top: number; bottom: number }): number {
  const levels: number[] = [];
  for (let y = Math.floor(area.top); y < Math.floor(area.bottom); y++)
    for (let x = Math.floor(area.left); x < frame.width; x++)
      levels.push(frame.data[(y * frame.width + x) * 3 + 1] ?? 0);
  // the median level: most of the area is empty
  const ground = Uint8Array.from(levels).toSorted()[Math.floor(levels.length / 2)] ?? 0;
  return levels.filter((level) => level > ground + LETTER_CONTRAST).length;
}
