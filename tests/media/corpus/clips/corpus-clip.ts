/** A clip of the corpus: how it is made, and what a player shows and plays of it. */
import { type BarLevels, PLAIN_BARS } from "../coded-picture.ts";
import { beepTimes } from "../coded-sound.ts";
import { type CodedClip, makeCodedClip } from "./make-coded-clip.ts";

export type CorpusClip = {
  /** Unique; the extension names the container. */
  name: string;
  /** What is odd about it. */
  about: string;
  make: (file: string) => Promise<void>;
  expected: Expected;
  /** Makes the music that replaces the sound, where it is odd too. */
  makeMusic?: (file: string) => Promise<void>;
  /** True for a clip that `npm test` renders too. */
  inSample?: boolean;
};

/** What a player shows of a clip, from its start on. */
export type Expected = {
  width: number;
  height: number;
  /** The numbers of all frames and when each is first shown, in order. */
  shown: { number: number; seconds: number }[];
  /** How long the clip plays. */
  seconds: number;
  /** How often a frame may come: above 60, outputs show some of them only. */
  framesPerSecond: number;
  /** When the three beeps start; null for one that the clip does not hold; null for a clip without sound. */
  beeps: readonly (number | null)[] | null;
  /** How long the picture alone lasts, where not as long as the clip; null where the file does not say. */
  pictureSeconds?: number | null;
  /** When the clip's own sound ends; a copied picture may keep it. */
  soundSeconds?: number;
  /** How much longer players may play: what the encoder of the sound adds, where the container cannot say that it did. */
  soundPaddingSeconds?: number;
  bars: BarLevels;
  /** The color matrix that players assume, where a copied picture names none. */
  matrix?: string;
};

/** Two frames of AAC. */
const SOUND_PADDING_SECONDS = 0.043;
const STATES_PADDING = /\.(mp4|mov|dv)$/;

/** From drawn pictures to BT.709, tagged as such. */
export const BT709 = ["format=gbrp", "zscale=matrix=709:range=limited", "format=yuv420p", ...tagged("bt709")];
/** Standard definition, of which most codecs cannot say what it is. */
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
  /** Runs after the clip is made. */
  finish?: (made: string, file: string) => Promise<void>;
  /** The container of what `finish` gets; the clip's own where not given. */
  madeAs?: string;
  expected?: Partial<Expected>;
} & Pick<CorpusClip, "makeMusic" | "inSample">;

/** Returns a clip of 30 frames a second in H.264 with AAC, 192x108, 2 s, but for what `options` say. */
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

/** Returns the filter that names the primaries and the transfer function, which red, green and blue bytes do not. */
export function tagged(primaries: string): string[] {
  return [`setparams=color_primaries=${primaries}:color_trc=bt709`];
}

/** Returns a rate like "30000/1001" as a number. */
export function rateOf(rate: string): number {
  const [above, below = "1"] = rate.split("/");
  return Number(above) / Number(below);
}
