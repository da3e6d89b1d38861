import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { requireAudio, requireVideo } from "../../render/required-streams.ts";
import type { SoundLevel } from "../loudness.ts";
import type { Cut, MediaFile, PlannedSound } from "../render-plan.ts";
import { duckMusic, limitPeaks } from "./duck-music.ts";
import { keepClock, openSource, WITHOUT_TAGS } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** Longer than any codec needs to settle. */
const LEAD_SECONDS = 0.5;
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

type MixOptions = {
  source: MediaFile;
  track: MediaFile | null;
  settings: StreamSettings<"mix">;
  kbps: number | null;
  file: string;
};

/**
 * Encodes stereo AAC, 48 kHz, exactly as long as the cut: the track (replace), track and source (mix), or without a
 * track the source. ffmpeg fails if rate or layout change mid-stream: see `steadySound`.
 */
export function soundArguments(sound: PlannedSound, options: MixOptions): string[] {
  const { source, track } = options;
  const hasSource = isSourceAudible(source, track, options.settings);
  // Downmixing surround sound raises the level, too.
  const mayClip = track !== null || (source.probe.audio?.channels ?? 0) > 2;
  const { inputs, graph } = mix(sound, options, mayClip ? limitPeaks(LIMIT, SAMPLE_RATE) : []);
  return [
    ...inputs,
    ...["-filter_complex", graph, "-map", "[sound]", ...encodeTo(options)],
    ...(hasSource ? keepClock(source.probe, source.probe.video) : []),
  ];
}

/** Measures the loudness and writes unlimited, uncompressed samples for `levelArguments`. */
export function mixArguments(sound: PlannedSound, options: MixOptions): string[] {
  const { source, track, settings } = options;
  const { inputs, graph } = mix(sound, options, []);
  return [
    ...inputs,
    ...["-filter_complex", `${graph};[sound]${MEASURE}[measured]`, "-map", "[measured]"],
    ...["-c:a", "pcm_f32le", ...WITHOUT_TAGS, "-f", "w64", `file:${options.file}`],
    ...(isSourceAudible(source, track, settings) ? keepClock(source.probe, source.probe.video) : []),
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

function mix(sound: PlannedSound, options: MixOptions, limiter: string[]): { inputs: string[]; graph: string } {
  const { source, track, settings } = options;
  const hasSource = isSourceAudible(source, track, settings);
  const sourceGain = track === null ? 1 : settings.video_gain;
  const { cut } = sound;
  const chains: string[] = [];
  const parts: string[] = [];
  const inputs: string[] = [];
  if (hasSource) {
    // Decoders need the preceding samples, and seeking is inexact in some containers.
    const isSeeking = sound.fromSeconds > LEAD_SECONDS;
    const from = sound.fromSeconds + (isSeeking ? requireVideo(source.probe).timing.soundGapSeconds : 0);
    const seek = isSeeking ? from - LEAD_SECONDS : 0;
    const lead = from - seek;
    const stretch = { startSeconds: seek, seconds: Math.max(0, lead) + cut.seconds };
    inputs.push(...openSource(source.path, { ...stretch, keepsFilters: true }));
    // Keeps a late start, so that sound stays in sync.
    const place = lead < 0 ? [`asetpts=PTS+${(-lead).toFixed(6)}/TB`, evenOut(source)] : [evenOut(source)];
    const trim = lead > 0 ? [`atrim=start=${lead.toFixed(6)}`, "asetpts=PTS-STARTPTS"] : [];
    const sourceSound = [...place, ...trim, `volume=${sourceGain}`].join(",");
    chains.push(`[0:${requireAudio(source.probe).index}]${sourceSound}[source]`);
    parts.push("[source]");
  }
  if (track) {
    inputs.push(...openSource(track.path, { keepsFilters: true }));
    // Drops the container's delay before the first sample, a gap at every loop.
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

export function isSourceAudible(
  source: MediaFile,
  track: MediaFile | null,
  { audio_mode: mode }: StreamSettings<"mix">,
): boolean {
  return source.probe.audio !== null && (track === null || mode === "mix");
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
function repeat(track: MediaFile, cut: Cut, isLooped: boolean): string[] {
  if (!isLooped || requireAudio(track.probe).durationSeconds >= cut.seconds) return [];
  const samples = Math.ceil(cut.seconds * SAMPLE_RATE);
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
