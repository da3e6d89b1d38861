import { type BarLevels, PLAIN_BARS } from "../coded-picture.ts";
import { beepTimes } from "../coded-sound.ts";
import { type CodedClip, makeCodedClip } from "./make-coded-clip.ts";

export type CorpusClip = {
  /** Unique; the extension names the container. */
  name: string;
  about: string;
  make: (file: string) => Promise<void>;
  expected: Expected;
  /** Replaces the sound. */
  makeMusic?: (file: string) => Promise<void>;
  /** Also rendered by `npm test`. */
  inSample?: boolean;
};

/** What a player shows and plays, from its start. */
export type Expected = {
  width: number;
  height: number;
  /** In presentation order. */
  shown: { number: number; seconds: number }[];
  seconds: number;
  /** Above 60, outputs skip frames. */
  framesPerSecond: number;
  /** Start of each beep, null outside the clip; null for a clip without sound. */
  beeps: readonly (number | null)[] | null;
  /** If it differs from the clip's; null where the file does not state it. */
  pictureSeconds?: number | null;
  /** End of the clip's own sound; a copied picture may keep it. */
  soundSeconds?: number;
  /** Encoder padding that players may play, where the container cannot state it. */
  soundPaddingSeconds?: number;
  bars: BarLevels;
  /** Assumed by players where a copied picture names none. */
  matrix?: string;
};

/** Two frames of AAC. */
const SOUND_PADDING_SECONDS = 0.043;
const STATES_PADDING = /\.(mp4|mov|dv)$/;

export const BT709 = ["format=gbrp", "zscale=matrix=709:range=limited", "format=yuv420p", ...tagged("bt709")];
/** Standard definition, which most codecs cannot tag. */
export const BT601 = ["format=gbrp", "zscale=matrix=170m:range=limited", "format=yuv420p"];
export const UNTAGGED = "setparams=colorspace=unknown:color_primaries=unknown:color_trc=unknown:range=unknown";
export const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-g", "30"];
export const HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "12", "-x265-params", "log-level=none"];
export const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-qmax", "10", "-b:v", "8M"];
export const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-qmax", "12", "-b:v", "8M"];
export const AAC = ["-c:a", "aac", "-b:a", "128k"];

type Options = Partial<Omit<CodedClip, "sound">> & {
  seconds?: number;
  sound?: Partial<NonNullable<CodedClip["sound"]>> | null;
  finish?: (made: string, file: string) => Promise<void>;
  /** Container of `finish`'s input; by default the clip's own. */
  madeAs?: string;
  expected?: Partial<Expected>;
} & Pick<CorpusClip, "makeMusic" | "inSample">;

/** Defaults to H.264 with AAC, 30 frames per second, 192x108 and 2 s. */
export function codedClip(name: string, about: string, options: Options = {}): CorpusClip {
  const { seconds = 2, rate = "30", width = 192, height = 108, times, delay = 0, bars = PLAIN_BARS } = options;
  const { finish, madeAs, makeMusic, inSample } = options;
  const framesPerSecond = rateOf(rate);
  const frames = times?.length ?? Math.round(seconds * framesPerSecond);
  const numbers = options.numbers ?? Array.from({ length: frames }, (_, i) => i);
  const beeps = beepTimes(seconds);
  const sound = options.sound === null ? null : { beeps, seconds, encode: AAC, ...options.sound };
  const clip: CodedClip = {
    ...{ width, height, rate, numbers, bars, delay, sound, filters: options.filters ?? BT709 },
    ...{ picture: options.picture ?? H264, output: options.output ?? [] },
    ...(times ? { times } : {}),
  };
  return {
    name,
    about,
    async make(file) {
      const made = finish ? `${file}.made${madeAs ?? file.slice(file.lastIndexOf("."))}` : file;
      await makeCodedClip(made, clip);
      await finish?.(made, file);
    },
    expected: {
      ...{ width, height, seconds, framesPerSecond, bars, beeps: sound?.beeps ?? null },
      ...(sound ? { soundSeconds: sound.seconds } : {}),
      ...(sound && !STATES_PADDING.test(name) ? { soundPaddingSeconds: SOUND_PADDING_SECONDS } : {}),
      shown: numbers.map((number, i) => ({ number, seconds: delay + (times?.[i] ?? i / framesPerSecond) })),
      ...options.expected,
    },
    ...(makeMusic ? { makeMusic } : {}),
    ...(inSample ? { inSample } : {}),
  };
}

/** Raw RGB bytes have no primaries or transfer function. */
export function tagged(primaries: string): string[] {
  return [`setparams=color_primaries=${primaries}:color_trc=bt709`];
}

/** Parses rates like "30000/1001". */
export function rateOf(rate: string): number {
  const [above, below = "1"] = rate.split("/");
  return Number(above) / Number(below);
}
