import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { requireAudio, requireVideo } from "../../render/required-streams.ts";
import type { SoundLevel } from "../loudness.ts";
import type { MediaFile, PlannedSound, SoundFade, SoundPart } from "../render-plan.ts";
import { speedOf } from "../speed.ts";
import { duckMusic, limitPeaks } from "./duck-music.ts";
import { keepClock, openSource, WITHOUT_TAGS } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** Longer than any codec needs to settle. */
const LEAD_SECONDS = 0.5;
/**
 * `atempo` is early by this much of its input: a quarter of the waves that it lays over each other. Measured with tones,
 * noise and voices, at speeds from 0.5 to 2.
 */
const TEMPO_EARLY_SECONDS = 512 / SAMPLE_RATE;
/** It loses about as much at its end. */
const TEMPO_TAIL_SECONDS = 0.1;
/** Removes the click at a cut. Too short to be audible as a fade. */
const FADE_SECONDS = 0.02;
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

/** One input of ffmpeg, on the file's own clock. */
export type SoundInput = { of: "video" | "music"; file: MediaFile; fromSeconds: number; seconds: number };

/** In the order of ffmpeg's inputs: the parts with sound, then the track. */
export function soundInputs(
  sound: Omit<PlannedSound, "id">,
  { sources, track }: SoundSources,
  settings: StreamSettings<"mix">,
): SoundInput[] {
  const parts = isSourceAudible(sources, sound, settings) ? sound.parts : [];
  return [
    ...shareInputs(parts).flatMap((group) => {
      const { source, fromSeconds, ...range } = rangeOf(group);
      const file = sources[source]!;
      const seconds = range.seconds * speedOf(range);
      return file.probe.audio ? [{ of: "video" as const, file, fromSeconds, seconds }] : [];
    }),
    ...(track ? [{ of: "music" as const, file: track, fromSeconds: 0, seconds: sound.seconds }] : []),
  ];
}

/** A frame of sound costs a little for each part of its input, and an input some memory. */
const PARTS_PER_INPUT = 16;
/** Decoding more costs more than another input. */
const MAX_GAP_SECONDS = 30;

/** Groups consecutive parts that are near each other in one source: a video without its silences has hundreds. */
function shareInputs(parts: readonly SoundPart[]): SoundPart[][] {
  const groups: SoundPart[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const gap = before ? (part.fromSeconds - before.fromSeconds) / speedOf(part) - before.seconds : 0;
    const isSame = before?.source === part.source && before.speed === part.speed;
    const isNear = isSame && gap > before.fade!.seconds && gap < MAX_GAP_SECONDS;
    if (group && isNear && group.length < PARTS_PER_INPUT) group.push(part);
    else groups.push([part]);
  }
  return groups;
}

function rangeOf(group: readonly SoundPart[]): SoundPart {
  const [first, last] = [group[0]!, group.at(-1)!];
  return { ...first, seconds: (last.fromSeconds - first.fromSeconds) / speedOf(first) + last.seconds };
}

/**
 * Encodes stereo AAC, 48 kHz, exactly as long as the picture: the track (replace), the track and the parts' own sound
 * (mix), or without a track the parts' sound. ffmpeg fails if rate or layout change mid-stream: see `steadySound`.
 */
export function soundArguments(sound: PlannedSound, options: MixOptions): string[] {
  const inputs = soundInputs(sound, options, options.settings);
  // Downmixing surround sound raises the level, and so does laying its waves over each other at another speed.
  const mayClip =
    options.track !== null ||
    inputs.some(({ file }) => requireAudio(file.probe).channels > 2) ||
    sound.parts.some((part) => part.gainDb > 0 || speedOf(part) !== 1);
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
    const fades = sound.parts.map(({ fade }) => fade);
    let taken = 0;
    for (const group of shareInputs(sound.parts)) {
      // One before the first part, and one after each.
      const handles = [null, ...fades].slice(taken, taken + group.length + 1).map(handleOf);
      const ends = { before: handles[0]!, after: handles.at(-1)!, isJoined: sound.parts.length > 1 };
      const part = takePart(options.sources[group[0]!.source]!, rangeOf(group), ends);
      const from = part.opened ? `[${input++}:${part.stream}]` : "";
      const names = group.map((_, i) => (sound.parts.length === 1 ? "[source]" : `[part${taken + i}]`));
      opened.push(...(part.opened ?? []));
      const filters = [...part.filters, `volume=${gain * 10 ** (group[0]!.gainDb / 20)}`];
      chains.push(`${from}${filters.join(",")}${splitRange(group, handles, names)}`);
      taken += group.length;
    }
    chains.push(...joinParts(fades));
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
function takePart(
  file: MediaFile,
  part: SoundRange,
  { before, after, isJoined }: { before: number; after: number; isJoined: boolean },
): Taken {
  const speed = speedOf(part);
  const seconds = part.seconds + before + after;
  const { audio } = file.probe;
  if (!audio) {
    const silence = `anullsrc=r=${SAMPLE_RATE}:cl=stereo,aformat=sample_fmts=fltp,atrim=end=${seconds.toFixed(6)}`;
    return { opened: null, stream: null, filters: [silence] };
  }
  // Decoders need the preceding samples, and seeking is inexact in some containers.
  const fromSeconds = part.fromSeconds - before * speed - (speed === 1 ? 0 : TEMPO_EARLY_SECONDS);
  const isSeeking = fromSeconds > LEAD_SECONDS;
  const from = fromSeconds + (isSeeking ? requireVideo(file.probe).timing.soundGapSeconds : 0);
  const seek = isSeeking ? from - LEAD_SECONDS : 0;
  const lead = from - seek;
  const tail = speed === 1 ? 0 : TEMPO_TAIL_SECONDS;
  const range = { startSeconds: seek, seconds: Math.max(0, lead) + seconds * speed + tail };
  return {
    opened: openSource(file.path, { ...range, keepsFilters: true }),
    stream: audio.index,
    filters: [
      // Keeps a late start, so that sound stays in sync.
      ...(lead < 0 ? [`asetpts=PTS+${(-lead).toFixed(6)}/TB`] : []),
      evenOut(file),
      ...(lead > 0 ? [`atrim=start=${lead.toFixed(6)}`, "asetpts=PTS-STARTPTS"] : []),
      ...(speed === 1 ? [] : [`apad=pad_dur=${TEMPO_TAIL_SECONDS}`, `atempo=${speed}`]),
      ...(isJoined ? exactly(seconds) : []),
    ],
  };
}

/** Where pictures are cut, the sound of each goes on for half of the fade. */
function handleOf(fade: SoundFade | null): number {
  return fade === null || fade.isOverlap ? 0 : fade.seconds / 2;
}

/** Takes the group's parts from their range, each with its handles: one before it and one after it. */
function splitRange(group: readonly SoundPart[], handles: readonly number[], names: readonly string[]): string {
  if (group.length === 1) return names[0]!;
  const startSeconds = group[0]!.fromSeconds;
  const inputs = names.map((name) => name.replace("part", "in"));
  const parts = group.map((part, i) => {
    const start = (part.fromSeconds - startSeconds) / speedOf(part) + handles[0]! - handles[i]!;
    const end = start + handles[i]! + part.seconds + handles[i + 1]!;
    return `${inputs[i]}atrim=start=${start.toFixed(6)}:end=${end.toFixed(6)},asetpts=PTS-STARTPTS${names[i]}`;
  });
  return `,asplit=${group.length}${inputs.join("")};${parts.join(";")}`;
}

/**
 * Takes each part's fade. Joins in pairs, and pairs of these: in a row, the first part would pass through as many filters
 * as there are parts.
 */
function joinParts(fades: readonly (SoundFade | null)[]): string[] {
  const chains: string[] = [];
  let row = fades.map((fade, i) => ({ label: `[part${i}]`, fade }));
  while (row.length > 1) {
    row = Array.from({ length: Math.ceil(row.length / 2) }, (_, i) => {
      const [one, other] = [row[2 * i]!, row[2 * i + 1]];
      if (other === undefined) return one;
      const label = row.length === 2 ? "[source]" : `[joined${chains.length}]`;
      chains.push(`${one.label}${other.label}${joinFilter(one.fade!)}${label}`);
      return { label, fade: other.fade };
    });
  }
  return chains;
}

function joinFilter({ seconds }: SoundFade): string {
  return seconds === 0 ? "concat=v=0:a=1" : `acrossfade=d=${seconds.toFixed(6)}:c1=qsin:c2=qsin`;
}

type SoundRange = Pick<SoundPart, "fromSeconds" | "seconds" | "speed">;

/** Writes a source's own sound, timed as in an output, as 16-bit mono samples. */
export function speechArguments(
  source: MediaFile,
  part: SoundRange,
  { rate, file }: { rate: number; file: string },
): string[] {
  const { opened, stream, filters } = takePart(source, part, { before: 0, after: 0, isJoined: true });
  const chain = [...filters, `aresample=${rate}`, "aformat=sample_fmts=s16:channel_layouts=mono"];
  return [
    ...(opened ?? []),
    ...["-filter_complex", `[0:${stream}]${chain.join(",")}[speech]`, "-map", "[speech]", ...WITHOUT_TAGS],
    ...["-f", "s16le", `file:${file}`, ...keepClock(source.probe, source.probe.video)],
  ];
}

/** Measures the loudness of a source's own sound, converted as in an output. */
export function partLoudnessArguments(source: MediaFile, part: SoundRange): string[] {
  const { opened, stream, filters } = takePart(source, part, { before: 0, after: 0, isJoined: true });
  return [
    ...(opened ?? []),
    ...["-filter_complex", `[0:${stream}]${[...filters, MEASURE].join(",")}[measured]`, "-map", "[measured]"],
    ...["-f", "null", "-", ...keepClock(source.probe, source.probe.video)],
  ];
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
