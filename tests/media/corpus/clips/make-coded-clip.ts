import { execa } from "execa";
import { referenceTools } from "#tests/support/media/media-tools.ts";
import { type BarLevels, drawCodedPicture, PLAIN_BARS } from "../coded-picture.ts";
import { beepExpression } from "../coded-sound.ts";

export type CodedClip = {
  /** As displayed: upright, with square pixels. */
  width: number;
  height: number;
  /** Frames per second, in ffmpeg's notation; with `times`, only sets the last frame's duration. */
  rate: string;
  /** In presentation order. */
  numbers: readonly number[];
  /** In seconds; evenly spaced by default. */
  times?: readonly number[];
  bars?: BarLevels;
  /** From drawn to encoded pictures: colors, stored size, rotation. */
  filters: readonly string[];
  picture: readonly string[];
  sound: {
    beeps: readonly (number | null)[];
    seconds: number;
    layout?: string;
    sampleRate?: number;
    /** In seconds. */
    delay?: number;
    encode: readonly string[];
  } | null;
  /** In seconds. */
  delay?: number;
  output?: readonly string[];
};

const CHANNELS: Record<string, number> = {
  mono: 1,
  stereo: 2,
  "2.1": 3,
  "3.0": 3,
  quad: 4,
  "5.0": 5,
  "5.1": 6,
  "6.1": 7,
  "7.1": 8,
};

export async function makeCodedClip(file: string, clip: CodedClip): Promise<void> {
  const { ffmpeg } = await referenceTools();
  const { width, height, numbers, rate, times, bars = PLAIN_BARS, sound, delay = 0 } = clip;
  const pictures = numbers.map((number) => drawCodedPicture(width, height, number, bars));
  const clock = times ? ["settb=1/90000", `setpts='${choose(times)}/TB'`] : [];
  const args = [
    ...["-v", "error", "-y", ...(delay ? ["-itsoffset", String(delay)] : [])],
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", `${width}x${height}`, "-framerate", rate, "-i", "pipe:0"],
    ...(sound?.delay ? ["-itsoffset", String(sound.delay)] : []),
    ...(sound ? ["-f", "lavfi", "-i", soundSource(sound)] : []),
    ...["-vf", [...clip.filters, ...clock].join(","), ...clip.picture],
    ...(times ? ["-fps_mode", "passthrough", "-enc_time_base", "1:90000"] : []),
    ...(sound ? sound.encode : []),
    ...(clip.output ?? []),
    file,
  ];
  await execa(ffmpeg, args, { input: Buffer.concat(pictures) });
}

function soundSource(sound: NonNullable<CodedClip["sound"]>): string {
  const { layout = "stereo", sampleRate = 48_000, delay = 0 } = sound;
  const beeps = beepExpression(sound.beeps.map((time) => time && time - delay));
  const channels = Array.from({ length: CHANNELS[layout]! }, () => `'${beeps}'`).join("|");
  return `aevalsrc=${channels}:c=${layout}:s=${sampleRate}:d=${sound.seconds - delay}`;
}

/** Returns a tree of conditions, because ffmpeg limits the nesting of expressions. */
function choose(values: readonly number[], from = 0): string {
  if (values.length === 1) return values[0]!.toFixed(6);
  const half = Math.floor(values.length / 2);
  return `if(lt(N,${from + half}),${choose(values.slice(0, half), from)},${choose(values.slice(half), from + half)})`;
}
