/** Builds the command lines that mix, level and encode one sound. Pure. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { requireAudio, requireVideo } from "../../render/required-streams.ts";
import type { SoundLevel } from "../loudness.ts";
import type { Cut, MediaFile, PlannedSound } from "../render-plan.ts";
import { duckMusic } from "./duck-music.ts";
import { limitPeaks } from "./limit-peaks.ts";
import { keepClock, openSource } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** Longer than any codec needs to settle. */
const LEAD_SECONDS = 0.5;
/** Long enough to remove the click at a cut, too short to be heard as a fade. */
const FADE_SECONDS = 0.02;
/** Below full scale, because AAC overshoots. */
const LIMIT = 0.79;
export const SOUND_QUALITY = ["-b:a", "192k", "-q:a", "2.5"] as const;
const TRIM_SILENT_START = "silenceremove=start_periods=1:start_threshold=-50dB:detection=peak";

/** Logs the integrated loudness and the true peak. Per-frame lines would be logged at level "info" otherwise. */
const MEASURE = "ebur128=peak=true:framelog=verbose";

type MixOptions = {
  source: MediaFile;
  track: MediaFile | null;
  settings: StreamSettings<"mix">;
  /** Bit rate of the encoded sound; null for a constant quality. */
  kbps: number | null;
  file: string;
};

/**
 * Returns the arguments that encode the sound to `file` as stereo AAC, 48 kHz, exactly as long as its cut:
 * the track alone (replace), track and source (mix), or without a track the source. ffmpeg fails if a file's rate or
 * layout changes mid-stream: see `steadySound`.
 */
export function soundArguments(sound: PlannedSound, options: MixOptions): string[] {
  const { source, track } = options;
  const hasSource = isSourceAudible(source, track, options.settings);
  // downmixed surround sound gets louder too
  const mayClip = track !== null || (source.probe.audio?.channels ?? 0) > 2;
  const { inputs, graph } = mix(sound, options, mayClip ? limitPeaks(LIMIT, SAMPLE_RATE) : []);
  return [
    ...inputs,
    ...["-filter_complex", graph, "-map", "[sound]", ...encodeTo(options)],
    ...(hasSource ? keepClock(source.probe, source.probe.video) : []),
  ];
}

/** Like `soundArguments`, but measures the loudness, and writes unlimited, uncompressed samples for `levelArguments`. */
export function mixArguments(sound: PlannedSound, options: MixOptions): string[] {
  const { source, track, settings } = options;
  const { inputs, graph } = mix(sound, options, []);
  return [
    ...inputs,
    ...["-filter_complex", `${graph};[sound]${MEASURE}[measured]`, "-map", "[measured]"],
    ...["-c:a", "pcm_f32le", "-map_metadata", "-1", "-f", "w64", `file:${options.file}`],
    ...(isSourceAudible(source, track, settings) ? keepClock(source.probe, source.probe.video) : []),
  ];
}

/** Returns the arguments that encode samples of `mixArguments` at this level, like `soundArguments`. */
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

/** Returns the arguments that measure the loudness of an encoded sound. */
export function measureArguments(file: string): string[] {
  return [...openSource(file), "-af", MEASURE, "-f", "null", "-"];
}

/**
 * Reaching a bit rate means encoding each packet several times, which takes twice the CPU time and leaves more audible
 * noise at the same size. With a quality, the rate only tunes the encoder's model of hearing. Measured by `npm run
 * bench sound-coders`.
 */
function encodeTo({ kbps, file }: { kbps: number | null; file: string }): string[] {
  return [
    ...["-c:a", "aac", "-aac_coder", "fast", ...(kbps === null ? SOUND_QUALITY : ["-b:a", `${kbps}k`])],
    ...["-ar", String(SAMPLE_RATE), "-ac", "2", "-map_metadata", "-1", "-f", "mp4", `file:${file}`],
  ];
}

/** Returns the inputs and the filters that make [sound]. `limiter` goes before the cut. */
function mix(sound: PlannedSound, options: MixOptions, limiter: string[]): { inputs: string[]; graph: string } {
  const { source, track, settings } = options;
  const hasSource = isSourceAudible(source, track, settings);
  const sourceGain = track === null ? 1 : settings.video_gain;
  const { cut } = sound;
  const chains: string[] = [];
  const parts: string[] = [];
  const inputs: string[] = [];
  if (hasSource) {
    // decoders need the preceding samples, and seeking is inexact in some containers
    const isSeeking = sound.fromSeconds > LEAD_SECONDS;
    const from = sound.fromSeconds + (isSeeking ? requireVideo(source.probe).timing.soundGapSeconds : 0);
    const seek = isSeeking ? from - LEAD_SECONDS : 0;
    const lead = from - seek;
    const stretch = { startSeconds: seek, seconds: Math.max(0, lead) + cut.seconds };
    inputs.push(...openSource(source.path, { ...stretch, keepsFilters: true }));
    // keep a late start, so that sound stays in sync
    const place = lead < 0 ? [`asetpts=PTS+${(-lead).toFixed(6)}/TB`, evenOut(source)] : [evenOut(source)];
    const trim = lead > 0 ? [`atrim=start=${lead.toFixed(6)}`, "asetpts=PTS-STARTPTS"] : [];
    const sourceSound = [...place, ...trim, `volume=${sourceGain}`].join(",");
    chains.push(`[0:${requireAudio(source.probe).index}]${sourceSound}[source]`);
    parts.push("[source]");
  }
  if (track) {
    inputs.push(...openSource(track.path, { keepsFilters: true }));
    // drop the container's delay before the first sample: it would be a gap at every loop
    const music = [
      "asetpts=PTS-STARTPTS",
      evenOut(track),
      ...repeat(track, cut, settings.loop_audio),
      `volume=${settings.music_gain}`,
    ];
    chains.push(`[${hasSource ? 1 : 0}:${requireAudio(track.probe).index}]${music.join(",")}[music]`);
    parts.push("[music]");
  }
  const isDucked = parts.length > 1 && settings.ducking_db > 0;
  if (isDucked) chains.push(...duckMusic(settings.ducking_db, cut.seconds));
  const mixed = isDucked ? ["[heard]", "[ducked]"] : parts;
  const join = mixed.length > 1 ? [`amix=inputs=${mixed.length}:duration=longest:normalize=0`] : [];
  chains.push(`${mixed.join("")}${[...join, ...limiter, ...finish(cut, track !== null)].join(",")}[sound]`);
  return { inputs, graph: chains.join(";") };
}

/**
 * Returns the arguments that write a file's sound to `file` with one rate and layout and unchanged times. A second
 * stream marks the file's start, so that a late start is kept.
 */
export function steadySoundArguments({ path, probe }: MediaFile, file: string): string[] {
  return [
    ...openSource(path),
    ...["-f", "lavfi", "-i", `anullsrc=r=${SAMPLE_RATE}:cl=mono:d=0.1`],
    ...["-map", `0:${requireAudio(probe).index}`, "-map", "1:a", "-map_metadata", "-1"],
    ...["-filter:a:0", `aresample=${SAMPLE_RATE}:async=1,aformat=sample_fmts=flt:channel_layouts=stereo`],
    ...["-c:a", "pcm_f32le", "-f", "matroska", `file:${file}`],
  ];
}

/** Returns whether a sound with this track (null: none) includes the source's own sound. */
export function isSourceAudible(
  source: MediaFile,
  track: MediaFile | null,
  { audio_mode: mode }: StreamSettings<"mix">,
): boolean {
  return source.probe.audio !== null && (track === null || mode === "mix");
}

/** Converts any rate and layout to ours. A late start and gaps are filled with silence, so that sound stays in sync. */
function evenOut(file: MediaFile): string {
  // ffmpeg's mono to stereo conversion is 3 dB quieter
  const spread = requireAudio(file.probe).channels === 1 ? ",pan=stereo|c0=c0|c1=c0" : "";
  // without it, ffmpeg ignores offsets of up to 100 ms
  const exact = file.isJoined ? ":min_hard_comp=0.005" : "";
  const resample = `aresample=${SAMPLE_RATE}:async=1${exact}:first_pts=0`;
  return `${resample}${spread},aformat=sample_fmts=fltp:channel_layouts=stereo`;
}

/** Loops a track shorter than the picture without gaps between samples. */
function repeat(track: MediaFile, cut: Cut, isLooped: boolean): string[] {
  if (!isLooped || track.probe.durationSeconds >= cut.seconds) return [];
  const samples = Math.ceil(cut.seconds * SAMPLE_RATE);
  return [
    ...trimPadding(track),
    // halves the memory of the loop buffer
    "aformat=sample_fmts=s16",
    `aloop=loop=-1:size=${samples}`,
    "aformat=sample_fmts=fltp",
  ];
}

/** Trims encoder padding around the music, which would be a gap at every loop. */
function trimPadding({ probe }: MediaFile): string[] {
  const isMp4 = /\bmov\b/.test(probe.formatName);
  if (isMp4 || (/\bmatroska\b/.test(probe.formatName) && probe.audio?.codec !== "aac")) {
    // these containers state where the music ends, but the decoder returns its padding too
    return [`atrim=end=${probe.durationSeconds.toFixed(6)}`];
  }
  // AAC elsewhere does not mark padding: silence at the ends is taken for it
  return probe.audio?.codec === "aac" ? [TRIM_SILENT_START, "areverse", TRIM_SILENT_START, "areverse"] : [];
}

/** Makes the length exact, and fades where the sound is cut. */
function finish(cut: Cut, hasMusic: boolean): string[] {
  const fadeOutAt = Math.max(0, cut.seconds - FADE_SECONDS).toFixed(6);
  return [
    ...exactly(cut.seconds),
    ...(cut.isCutAtStart ? [`afade=t=in:d=${FADE_SECONDS}`] : []),
    ...(cut.isCutAtEnd || hasMusic ? [`afade=t=out:st=${fadeOutAt}:d=${FADE_SECONDS}`] : []),
  ];
}

function exactly(seconds: number): string[] {
  return ["apad", `atrim=end=${seconds.toFixed(6)}`];
}
