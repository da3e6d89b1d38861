import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { escapeFilterValue } from "../plan/arguments/escape-filter-value.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import type { Probe, VideoStream } from "../probe/probe-report.ts";

const MAX_FRAMES = 8;
/** A model at low detail sees no more. */
const LONG_EDGE_PIXELS = 512;
/** Spread over the video, at most four per second. */
const MAX_SAMPLES = 240;
const SAMPLES_PER_SECOND = 4;
/** Longer videos are sampled at keyframes only, because decoding them takes minutes. */
const DECODED_WHOLE_SECONDS = 180;

type SceneFramesSource = { path: string; probe: Probe & { video: VideoStream } };

/**
 * Returns up to eight JPEGs in order, spread over the scenes. Writes samples to `folder`. Throws what runFfmpeg throws,
 * and "damaged" if no picture can be decoded.
 */
export async function extractSceneFrames(
  tools: FfmpegTools,
  { path: source, probe }: SceneFramesSource,
  { folder, signal }: { folder: string; signal?: AbortSignal },
): Promise<Buffer[]> {
  const scoresFile = path.join(folder, "scene-scores.txt");
  const { durationSeconds, video } = probe;
  const rate = Math.min(SAMPLES_PER_SECOND, MAX_SAMPLES / durationSeconds);
  const filters = [
    // Keeps the first frame of a video shorter than a sample.
    `fps=${rate.toFixed(6)}:eof_action=pass`,
    `scale=${sizeOf(video)}`,
    // A score of brightness alone misses color changes.
    "format=rgb24",
    "select=gte(scene\\,0)",
    `metadata=mode=print:key=lavfi.scene_score:file=${escapeFilterValue(scoresFile)}`,
  ];
  await runFfmpeg(tools, {
    step: "scene frames",
    args: [
      ...(durationSeconds > DECODED_WHOLE_SECONDS ? ["-skip_frame", "nokey"] : []),
      ...openSource(source),
      ...["-map", `0:${video.index}`, "-frames:v", String(MAX_SAMPLES), "-vf", filters.join(",")],
      ...["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "4"],
      // ffmpeg treats the name as a pattern.
      ...["-f", "image2", `file:${path.join(folder, "sample").replaceAll("%", "%%")}-%04d.jpg`],
    ],
    signal,
    mediaSeconds: durationSeconds,
  });
  const samples = (await readdir(folder)).filter((name) => /^sample-\d{4}\.jpg$/.test(name)).toSorted();
  if (samples.length === 0) throw new ClipmillError("damaged", "The video file is damaged or incomplete.");
  const scores = readScores(await readFile(scoresFile, "utf8")).slice(0, samples.length);
  return Promise.all(chooseFrames(scores, MAX_FRAMES).map((place) => readFile(path.join(folder, samples[place]!))));
}

function sizeOf({ width, height }: VideoStream): string {
  const factor = Math.min(1, LONG_EDGE_PIXELS / Math.max(width, height));
  const side = (pixels: number) => Math.max(2, Math.round((pixels * factor) / 2) * 2);
  return `${side(width)}:${side(height)}`;
}

function readScores(text: string): number[] {
  return [...text.matchAll(/^lavfi\.scene_score=([\d.]+)/gm)].map(([, score]) => Number(score));
}

/** From 0 to 1: a cut is far above this, movement within a shot below. */
const CUT_SCORE = 0.2;

/**
 * Returns up to `most` ascending indexes into `scores` (one per sampled frame): the middle of each scene, then more
 * from long ones. With more scenes than `most`, takes the longest of each group of neighbors.
 */
export function chooseFrames(scores: readonly number[], most: number): number[] {
  const scenes = scenesOf(scores);
  const shown = scenes.length > most ? longestOfNeighbors(scenes, most) : scenes;
  const shares = shown.map(({ start, length }) => ({ start, length, frames: 1 }));
  let left = Math.min(most, scores.length) - shares.length;
  while (left > 0) {
    const widest = shares.reduce((a, b) => (a.length / a.frames >= b.length / b.frames ? a : b));
    if (widest.frames === widest.length) break;
    widest.frames += 1;
    left -= 1;
  }
  return shares.flatMap(({ start, length, frames }) =>
    Array.from({ length: frames }, (_, i) => start + Math.floor(((i + 0.5) * length) / frames)),
  );
}

type Scene = { start: number; length: number };

function scenesOf(scores: readonly number[]): Scene[] {
  const starts = scores.flatMap((score, i) => (i === 0 || score >= CUT_SCORE ? [i] : []));
  return starts.map((start, i) => ({ start, length: (starts[i + 1] ?? scores.length) - start }));
}

function longestOfNeighbors(scenes: readonly Scene[], most: number): Scene[] {
  return Array.from({ length: most }, (_, i) => {
    const group = scenes.slice(Math.floor((i * scenes.length) / most), Math.floor(((i + 1) * scenes.length) / most));
    return group.reduce((a, b) => (a.length >= b.length ? a : b));
  });
}
