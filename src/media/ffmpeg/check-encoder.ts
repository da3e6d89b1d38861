import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import type { Codec } from "#contract/jobs/jobs.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { launch } from "../launch/launch.ts";
import { deviceArguments, encoderArguments, finishFilter } from "../plan/arguments/encoder-arguments.ts";
import { cutArguments } from "../plan/arguments/picture-arguments.ts";
import { secondsOf } from "../plan/fit-size.ts";
import type { Cut } from "../plan/render-plan.ts";

const LIMIT_MS = 15_000;
const FRAME_RATE = { numerator: 30, denominator: 1 };
const PART_FRAMES = 6;
const PARTS = [0, 1];
/** Mean difference of samples (0-255). Encoding costs less than 2; other frames, or swapped colors, over 10. */
const MAX_DIFFERENCE = 5;
const NO_KEYFRAMES = "It does not place keyframes where jobs need them.";
/** Small enough to compare in process: three planes of 16x16 samples per frame. */
const REDUCE = "scale=16:16:flags=area,format=yuv444p";
const RAW = ["-f", "rawvideo"];

/**
 * Encodes a test picture in two parts, like a job, and compares the decoded frames. Returns null, or why the encoder
 * cannot be used. Never throws.
 */
export async function checkEncoder(
  ffmpeg: string,
  encoder: Encoder,
  { limitMs = LIMIT_MS, codec = "h264" }: { limitMs?: number; codec?: Codec } = {},
): Promise<string | null> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-encoder-"));
    try {
      const encoded = await run(ffmpeg, encodingArguments(encoder, codec, path.join(folder, "%d.mp4")), {
        ...{ signal, encoder },
      });
      if ("reason" in encoded) return encoded.reason;
      const parts = PARTS.map((part) => path.join(folder, `${part}.mp4`));
      if (!parts.every((part) => existsSync(part))) return NO_KEYFRAMES;
      const decoded = await run(ffmpeg, decodingArguments(parts), { signal });
      if ("reason" in decoded) return `Its files cannot be read: ${decoded.reason}`;
      return compare(encoded.frames[1]!, [decoded.frames[1]!, decoded.frames[3]!]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return String(error);
  }
}

/** Writes the parts to files and the input frames to stdout. */
function encodingArguments(encoder: Encoder, codec: Codec, pattern: string): string[] {
  const rate = `${FRAME_RATE.numerator}/${FRAME_RATE.denominator}`;
  const colors = "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";
  // ffmpeg 5.1 would read an endless source on, and never exit, if one of the outputs fails.
  const seconds = secondsOf(PART_FRAMES * PARTS.length, FRAME_RATE);
  const picture = `testsrc2=s=256x256:r=${rate}:d=${seconds},format=yuv420p,${colors},split[shown][encoded]`;
  const frames = ["-frames:v", String(PART_FRAMES * PARTS.length)];
  const cuts: Cut[] = PARTS.map((part) => ({
    ...{ firstFrame: part * PART_FRAMES, startSeconds: secondsOf(part * PART_FRAMES, FRAME_RATE) },
    ...{ frames: PART_FRAMES, seconds: secondsOf(PART_FRAMES, FRAME_RATE), isCutAtStart: true, isCutAtEnd: true },
  }));
  return [
    ...["-y", ...deviceArguments(encoder)],
    ...["-filter_complex", `${picture};[encoded]${finishFilter(encoder)}[picture];[shown]${REDUCE}[reference]`],
    ...["-map", "[reference]", ...frames, ...RAW, "pipe:1"],
    ...["-map", "[picture]", ...frames, "-r", rate, ...encoderArguments("standard", 1, encoder, { codec })],
    ...[...cutArguments({ cuts }, { frameRate: FRAME_RATE, keyframeFrames: 250 }), `file:${pattern}`],
  ];
}

function decodingArguments(parts: readonly string[]): string[] {
  const outputs = parts.flatMap((_, i) => ["-map", `${i}:v`, "-vf", REDUCE, ...RAW, i === 0 ? "pipe:1" : "pipe:3"]);
  return [...parts.flatMap((part) => ["-i", `file:${part}`]), ...outputs];
}

function compare(reference: Uint8Array, parts: readonly Uint8Array[]): string | null {
  const partBytes = reference.length / PARTS.length;
  if (parts.some(({ length }) => length !== partBytes)) return NO_KEYFRAMES;
  const decoded = parts.flatMap((part) => [...part]);
  const sum = decoded.reduce((total, sample, i) => total + Math.abs(sample - reference[i]!), 0);
  return sum / reference.length > MAX_DIFFERENCE ? "Its pictures do not match its input." : null;
}

async function run(
  ffmpeg: string,
  args: readonly string[],
  { signal, encoder }: { signal: AbortSignal; encoder?: Encoder },
): Promise<{ frames: Readonly<Record<number, Uint8Array>> } | { reason: string }> {
  const { outputs, ended } = launch(ffmpeg, {
    args: ["-nostdin", "-hide_banner", "-loglevel", "error", ...args],
    ...{ encoder, signal, outputs: [1, 2, 3] },
  });
  const [first, errors, second] = await Promise.all([buffer(outputs[1]!), text(outputs[2]!), buffer(outputs[3]!)]);
  const { exitCode, startErrorCode } = await ended;
  if (exitCode === 0) return { frames: { 1: first, 3: second } };
  if (signal.aborted) return { reason: "It did not respond in time." };
  if (startErrorCode !== null) return { reason: `ffmpeg could not be started (${startErrorCode}).` };
  return { reason: firstMessageOf(errors) || "It failed without a message." };
}

/** Returns the first line, which states the cause, without a prefix such as `[h264_nvenc @ 0x55a289dc4980] `. */
function firstMessageOf(errors: string): string {
  const [line] = errors.trim().split("\n", 1);
  return line!.replace(/^(?:\[[^\]]* @ 0x[0-9a-f]+\] )+/, "").slice(0, 300);
}
