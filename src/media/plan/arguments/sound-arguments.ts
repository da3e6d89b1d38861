import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { requireAudio, requireVideo } from "../../render/required-streams.ts";
import type { SoundLevel } from "../loudness.ts";
import type { MediaFile, PlannedSound, SoundPart } from "../render-plan.ts";
import { duckMusic, limitPeaks } from "./duck-music.ts";
import { keepClock, openSource, WITHOUT_TAGS } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** Longer than any codec needs to settle. */
const LEAD_SECONDS = 0.5;
/** Removes the click at a cut. Too short to be audible as a fade. */
const FADE_SECONDS = 0.02;
/** Likewise between parts, whose sound goes on for half of it where their picture ends. */
const CROSSFADE_SECONDS = 0.02;
/** Below full scale, because AAC overshoots. */
const LIMIT = 0.79;
export const SOUND_QUALITY = ["-b:a", "192k", "-q:a", "2.5"] as const;
const TRIM_SILENT_START = "silenceremove=start_periods=1:start_threshold=-50dB:detection=peak";

/** Makes up for the 3 dB that mono loses in the conversion to stereo. Other layouts stay as they are. */
const KEEP_MONO_LEVEL = "volume=if(eq(nb_channels\\,1)\\,sqrt(2)\\,1)";

/** Logs integrated loudness and true peak; at level "info", also each frame. */
const MEASURE = "ebur128=peak=true:framelog=verbose";

/** By their number in the plan. */
export type SoundSources = { sources: readonly MediaFile[]; track: MediaFile | null };

type MixOptions = SoundSources & { settings: StreamSettings<"mix">; kbps: number | null; file: string };

/** One input of ffmpeg. */
export type SoundInput = { of: "video" | "music"; file: MediaFile; fromSeconds: number; seconds: number };

/** In the order of ffmpeg's inputs: the parts with sound, then the track. */
export function soundInputs(
  sound: Omit<PlannedSound, "id">,
  { sources, track }: SoundSources,
  settings: StreamSettings<"mix">,
): SoundInput[] {
  const parts = isSourceAudible(sources, sound, settings) ? sound.parts : [];
  return [
    ...parts.flatMap(({ source, ...range }) => {
      const file = sources[source]!;
      return file.probe.audio ? [{ of: "video" as const, file, ...range }] : [];
    }),
    ...(track ? [{ of: "music" as const, file: track, fromSeconds: 0, seconds: sound.seconds }] : []),
  ];
}

/**
 * Encodes stereo AAC, 48 kHz, exactly as long as the picture: the track (replace), the track and the parts' own sound
 * (mix), or without a track the parts' sound. ffmpeg fails if rate or layout change mid-stream: see `steadySound`.
 */
export function soundArguments(sound: PlannedSound, options: MixOptions): string[] {
  const inputs = soundInputs(sound, options, options.settings);
  // Downmixing surround sound raises the level, too.
  const mayClip = options.track !== null || inputs.some(({ file }) => requireAudio(file.probe).channels > 2);
  const { opened, graph } = mix(sound, options, mayClip ? limitPeaks(LIMIT, SAMPLE_RATE) : []);
  return [...opened, ...["-filter_complex", graph, "-map", "[sound]", ...encodeTo(options)], ...keepClocks(inputs)];
}

function keepClocks(inputs: readonly SoundInput[]): string[] {
  return inputs.flatMap(({ of, file: { probe } }, number) =>
    of === "video" ? keepClock(probe, probe.video, number) : [],
  );
}

/** Measures the loudness and writes unlimited, uncompressed samples for `levelArguments`. */
export function mixArguments(sound: PlannedSound, options: MixOptions): string[] {
  const { opened, graph } = mix(sound, options, []);
  return [
    ...opened,
    ...["-filter_complex", `${graph};[sound]${MEASURE}[measured]`, "-map", "[measured]"],
    ...["-c:a", "pcm_f32le", ...WITHOUT_TAGS, "-f", "w64", `file:${options.file}`],
    ...keepClocks(soundInputs(sound, options, options.settings)),
  ];
}

/** Like `soundArguments`, for samples of `mixArguments`. */
export function levelArguments(options: {
  mixed: string;
  level: SoundLevel;
  isLimited: boolean;
  seconds: number;
  kbps: number | null;
  file: string;
}): string[] {
  const { gainDb, ceilingDb } = options.level;
  const filters = [
    "aformat=sample_fmts=fltp:channel_layouts=stereo",
    `volume=${gainDb.toFixed(2)}dB`,
    ...(options.isLimited ? limitPeaks(10 ** (ceilingDb / 20), SAMPLE_RATE) : []),
    ...exactly(options.seconds),
  ];
  return [...openSource(options.mixed), "-af", filters.join(","), ...encodeTo(options)];
}

export function measureArguments(file: string): string[] {
  return [...openSource(file), "-af", MEASURE, "-f", "null", "-"];
}

/**
 * For a bit rate, the encoder tries each packet several times, with twice the CPU time and more audible noise at the
 * same size. With a quality, the rate only tunes its model of hearing. Measured by `npm run bench sound-coders`.
 */
function encodeTo({ kbps, file }: { kbps: number | null; file: string }): string[] {
  return [
    ...["-c:a", "aac", "-aac_coder", "fast", ...(kbps === null ? SOUND_QUALITY : ["-b:a", `${kbps}k`])],
    ...["-ar", String(SAMPLE_RATE), "-ac", "2", ...WITHOUT_TAGS, "-f", "mp4", `file:${file}`],
  ];
}

function mix(sound: PlannedSound, options: MixOptions, limiter: string[]): { opened: string[]; graph: string } {
  const { track, settings } = options;
  const chains: string[] = [];
  const opened: string[] = [];
  const audible: string[] = [];
  let input = 0;
  if (isSourceAudible(options.sources, sound, settings)) {
    const gain = track === null ? 1 : settings.video_gain;
    const labels = sound.parts.map((part, i) => {
      const handles = {
        before: i === 0 ? 0 : CROSSFADE_SECONDS / 2,
        after: i === sound.parts.length - 1 ? 0 : CROSSFADE_SECONDS / 2,
      };
      const taken = takePart(options.sources[part.source]!, part, handles);
      const label = sound.parts.length === 1 ? "[source]" : `[part${i}]`;
      const from = taken.opened ? `[${input++}:${taken.stream}]` : "";
      opened.push(...(taken.opened ?? []));
      chains.push(`${from}${[...taken.filters, `volume=${gain}`].join(",")}${label}`);
      return label;
    });
    chains.push(...joinParts(labels));
    audible.push("[source]");
  }
  if (track) {
    opened.push(...openSource(track.path, { keepsFilters: true }));
    // Drops the container's delay before the first sample, a gap at every loop.
    const music = [
      "asetpts=PTS-STARTPTS",
      evenOut(track),
      ...repeat(track, sound, settings.loop_audio),
      `volume=${settings.music_gain}`,
    ];
    chains.push(`[${input}:${requireAudio(track.probe).index}]${music.join(",")}[music]`);
    audible.push("[music]");
  }
  const isDucked = audible.length > 1 && settings.ducking_db > 0;
  if (isDucked) chains.push(...duckMusic(settings.ducking_db, sound.seconds));
  const mixed = isDucked ? ["[heard]", "[ducked]"] : audible;
  const join = mixed.length > 1 ? [`amix=inputs=${mixed.length}:duration=longest:normalize=0`] : [];
  chains.push(`${mixed.join("")}${[...join, ...limiter, ...finish(sound, track !== null)].join(",")}[sound]`);
  return { opened, graph: chains.join(";") };
}

type Taken =
  | { opened: string[]; stream: number; filters: string[] }
  | { opened: null; stream: null; filters: string[] };

/**
 * Opens the part's sound, with the handles that a crossfade uses up. Between other parts, it is made exactly that long;
 * a part without sound is silent.
 */
function takePart(file: MediaFile, part: SoundPart, { before, after }: { before: number; after: number }): Taken {
  const seconds = part.seconds + before + after;
  const isJoined = before + after > 0;
  const { audio } = file.probe;
  if (!audio) {
    const silence = `anullsrc=r=${SAMPLE_RATE}:cl=stereo,aformat=sample_fmts=fltp,atrim=end=${seconds.toFixed(6)}`;
    return { opened: null, stream: null, filters: [silence] };
  }
  // Decoders need the preceding samples, and seeking is inexact in some containers.
  const fromSeconds = part.fromSeconds - before;
  const isSeeking = fromSeconds > LEAD_SECONDS;
  const from = fromSeconds + (isSeeking ? requireVideo(file.probe).timing.soundGapSeconds : 0);
  const seek = isSeeking ? from - LEAD_SECONDS : 0;
  const lead = from - seek;
  const range = { startSeconds: seek, seconds: Math.max(0, lead) + seconds };
  return {
    opened: openSource(file.path, { ...range, keepsFilters: true }),
    stream: audio.index,
    filters: [
      // Keeps a late start, so that sound stays in sync.
      ...(lead < 0 ? [`asetpts=PTS+${(-lead).toFixed(6)}/TB`] : []),
      evenOut(file),
      ...(lead > 0 ? [`atrim=start=${lead.toFixed(6)}`, "asetpts=PTS-STARTPTS"] : []),
      ...(isJoined ? exactly(seconds) : []),
    ],
  };
}

function joinParts([first, ...others]: readonly string[]): string[] {
  return others.map((label, i) => {
    const before = i === 0 ? first : `[joined${i}]`;
    const joined = i === others.length - 1 ? "[source]" : `[joined${i + 1}]`;
    return `${before}${label}acrossfade=d=${CROSSFADE_SECONDS}:c1=qsin:c2=qsin${joined}`;
  });
}

/** Keeps all times. A second stream marks the file's start, so that a late start is kept. */
export function steadySoundArguments({ path, probe }: MediaFile, file: string): string[] {
  // ffmpeg builds the filters again for each layout.
  const filters = [
    KEEP_MONO_LEVEL,
    `aresample=${SAMPLE_RATE}:async=1`,
    "aformat=sample_fmts=flt:channel_layouts=stereo",
  ];
  return [
    ...openSource(path),
    ...["-f", "lavfi", "-i", `anullsrc=r=${SAMPLE_RATE}:cl=mono:d=0.1`],
    ...["-map", `0:${requireAudio(probe).index}`, "-map", "1:a", ...WITHOUT_TAGS],
    ...["-filter:a:0", filters.join(",")],
    ...["-c:a", "pcm_f32le", "-f", "matroska", `file:${file}`],
  ];
}

/** True if the parts' own sound is part of the output's. */
export function isSourceAudible(
  sources: readonly MediaFile[],
  { parts, trackIndex }: Pick<PlannedSound, "parts" | "trackIndex">,
  { audio_mode: mode }: StreamSettings<"mix">,
): boolean {
  const hasSound = parts.some(({ source }) => sources[source]!.probe.audio !== null);
  return hasSound && (trackIndex === null || mode === "mix");
}

/** Silence fills gaps and a late start, so that sound stays in sync. */
function evenOut(file: MediaFile): string {
  // ffmpeg's mono to stereo conversion is 3 dB quieter.
  const spread = requireAudio(file.probe).channels === 1 ? ",pan=stereo|c0=c0|c1=c0" : "";
  // Otherwise ffmpeg ignores offsets of up to 100 ms.
  const exact = file.isJoined ? ":min_hard_comp=0.005" : "";
  const resample = `aresample=${SAMPLE_RATE}:async=1${exact}:first_pts=0`;
  return `${resample}${spread},aformat=sample_fmts=fltp:channel_layouts=stereo`;
}

/** Loops without gaps between samples. */
function repeat(track: MediaFile, { seconds }: PlannedSound, isLooped: boolean): string[] {
  if (!isLooped || requireAudio(track.probe).durationSeconds >= seconds) return [];
  const samples = Math.ceil(seconds * SAMPLE_RATE);
  return [
    ...trimPadding(track),
    // Halves the memory of the loop buffer.
    "aformat=sample_fmts=s16",
    `aloop=loop=-1:size=${samples}`,
    "aformat=sample_fmts=fltp",
  ];
}

/** Encoder padding would be a gap at every loop. */
function trimPadding({ probe }: MediaFile): string[] {
  const { codec, durationSeconds } = requireAudio(probe);
  const isMp4 = /\bmov\b/.test(probe.formatName);
  if (isMp4 || (/\bmatroska\b/.test(probe.formatName) && codec !== "aac")) {
    // These containers state where the music ends, but the decoder also returns the padding.
    return [`atrim=end=${durationSeconds.toFixed(6)}`];
  }
  // AAC elsewhere does not mark padding: treats silence at the ends as such.
  return codec === "aac" ? [TRIM_SILENT_START, "areverse", TRIM_SILENT_START, "areverse"] : [];
}

function finish({ seconds, isCutAtStart, isCutAtEnd }: PlannedSound, hasMusic: boolean): string[] {
  const fadeOutAt = Math.max(0, seconds - FADE_SECONDS).toFixed(6);
  return [
    ...exactly(seconds),
    ...(isCutAtStart ? [`afade=t=in:d=${FADE_SECONDS}`] : []),
    ...(isCutAtEnd || hasMusic ? [`afade=t=out:st=${fadeOutAt}:d=${FADE_SECONDS}`] : []),
  ];
}

function exactly(seconds: number): string[] {
  return ["apad", `atrim=end=${seconds.toFixed(6)}`];
}
