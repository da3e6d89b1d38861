/** The command line that encodes one sound. Pure. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { requireAudio, requireVideo } from "../../render/required-streams.ts";
import type { Cut, MediaFile, PlannedSound } from "../render-plan.ts";
import { keepClock, openSource } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** More than any codec needs to settle. */
const LEAD_SECONDS = 0.5;
/** Long enough to take the click out of a cut, too short to be heard as a fade. */
const FADE_SECONDS = 0.02;
/** Below full scale, because AAC overshoots. */
const LIMIT = 0.79;
/** Long enough for the gain to change smoothly. */
const LOOK_AHEAD_SECONDS = 0.01;
const TRIM_SILENT_START = "silenceremove=start_periods=1:start_threshold=-50dB:detection=peak";
/** Peaks between the samples are seen at twice the rate: without it, loud music comes out of AAC up to 4 dB too high. */
const LIMITING_RATE = 96_000;

/**
 * The arguments that encode the sound to `file` as AAC, 192 kbit/s, 48 kHz, stereo, exactly as long as its cut. With a track:
 * the track alone (replace) or mixed with the source's sound (mix); without one, the source's own sound. ffmpeg fails if the
 * rate or layout of a file changes mid-stream: see `steadySound`.
 */
export function soundArguments(
  sound: PlannedSound,
  options: { source: MediaFile; track: MediaFile | null; settings: StreamSettings<"mix">; file: string },
): string[] {
  const { source, track, settings } = options;
  const hasSource = isSourceAudible(source, track, settings);
  const sourceGain = track === null ? 1 : settings.video_gain;
  const { cut } = sound;
  const chains: string[] = [];
  const parts: string[] = [];
  const inputs: string[] = [];
  if (hasSource) {
    // decoders need what comes before, and seeking is not exact in all containers
    const isSeeking = sound.fromSeconds > LEAD_SECONDS;
    const from = sound.fromSeconds + (isSeeking ? requireVideo(source.probe).timing.soundGapSeconds : 0);
    const seek = isSeeking ? from - LEAD_SECONDS : 0;
    const lead = from - seek;
    const stretch = { startSeconds: seek, seconds: Math.max(0, lead) + cut.seconds };
    inputs.push(...openSource(source.path, { ...stretch, keepsFilters: true }));
    // a late start stays late, so that sound stays beside its picture
    const place = lead < 0 ? [`asetpts=PTS+${(-lead).toFixed(6)}/TB`, evenOut(source)] : [evenOut(source)];
    const trim = lead > 0 ? [`atrim=start=${lead.toFixed(6)}`, "asetpts=PTS-STARTPTS"] : [];
    const sourceSound = [...place, ...trim, `volume=${sourceGain}`].join(",");
    chains.push(`[0:${requireAudio(source.probe).index}]${sourceSound}[source]`);
    parts.push("[source]");
  }
  if (track) {
    inputs.push(...openSource(track.path, { keepsFilters: true }));
    // music begins at once: what its container counts before the first sample would be a gap at every seam
    const music = [
      "asetpts=PTS-STARTPTS",
      evenOut(track),
      ...repeat(track, cut, settings.loop_audio),
      `volume=${settings.music_gain}`,
    ];
    chains.push(`[${hasSource ? 1 : 0}:${requireAudio(track.probe).index}]${music.join(",")}[music]`);
    parts.push("[music]");
  }
  // a surround sound mixed down gets louder too
  const mayClip = track !== null || sourceGain > 1 || (source.probe.audio?.channels ?? 0) > 2;
  const join = parts.length > 1 ? [`amix=inputs=${parts.length}:duration=longest:normalize=0`] : [];
  chains.push(`${parts.join("")}${[...join, ...finish(cut, mayClip, track !== null)].join(",")}[sound]`);
  return [
    ...inputs,
    ...["-filter_complex", chains.join(";"), "-map", "[sound]"],
    ...["-c:a", "aac", "-b:a", "192k", "-ar", String(SAMPLE_RATE), "-ac", "2"],
    ...["-map_metadata", "-1", "-f", "mp4", `file:${options.file}`],
    ...(hasSource ? keepClock(source.probe, source.probe.video) : []),
  ];
}

/**
 * The arguments that write a file's sound to `file` with one rate and layout, and its times unchanged. A second stream marks
 * where the file starts, so that a late start stays late.
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

/** True when the source's own sound is part of the sound that is made with this track (null: none). */
export function isSourceAudible(
  source: MediaFile,
  track: MediaFile | null,
  { audio_mode: mode }: StreamSettings<"mix">,
): boolean {
  return source.probe.audio !== null && (track === null || mode === "mix");
}

/** Any rate and layout to ours; a late start and gaps are filled with silence, so that sound stays beside its picture. */
function evenOut(file: MediaFile): string {
  // ffmpeg's own way from mono to stereo is 3 dB quieter
  const spread = requireAudio(file.probe).channels === 1 ? "pan=stereo|c0=c0|c1=c0," : "";
  // without it, up to 100 ms of offset are left as they are
  const exact = file.isJoined ? ":min_hard_comp=0.005" : "";
  return `${spread}aresample=${SAMPLE_RATE}:async=1${exact}:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo`;
}

/** Repeats a track shorter than the picture, joined sample to sample. */
function repeat(track: MediaFile, cut: Cut, isLooped: boolean): string[] {
  if (!isLooped || track.probe.durationSeconds >= cut.seconds) return [];
  const samples = Math.ceil(cut.seconds * SAMPLE_RATE);
  return [
    ...trimPadding(track),
    // half the memory while it is held for repeating
    "aformat=sample_fmts=s16",
    `aloop=loop=-1:size=${samples}`,
    "aformat=sample_fmts=fltp",
  ];
}

/** Cuts off what an encoder put around the music, which would be a gap at every seam. */
function trimPadding({ probe }: MediaFile): string[] {
  const isMp4 = /\bmov\b/.test(probe.formatName);
  if (isMp4 || (/\bmatroska\b/.test(probe.formatName) && probe.audio?.codec !== "aac")) {
    // they say where the music ends, but the decoder gives its padding too
    return [`atrim=end=${probe.durationSeconds.toFixed(6)}`];
  }
  // AAC elsewhere does not say what is padding: what is silent at its ends is taken for it
  return probe.audio?.codec === "aac" ? [TRIM_SILENT_START, "areverse", TRIM_SILENT_START, "areverse"] : [];
}

/** Limits what gains can make too loud, and makes the length exact. */
function finish(cut: Cut, mayClip: boolean, hasMusic: boolean): string[] {
  const seconds = cut.seconds.toFixed(6);
  const fadeOutAt = Math.max(0, cut.seconds - FADE_SECONDS).toFixed(6);
  return [
    ...(mayClip ? limitLoudness() : []),
    "apad",
    `atrim=end=${seconds}`,
    ...(cut.isCutAtStart ? [`afade=t=in:d=${FADE_SECONDS}`] : []),
    ...(cut.isCutAtEnd || hasMusic ? [`afade=t=out:st=${fadeOutAt}:d=${FADE_SECONDS}`] : []),
  ];
}

/** The limiter looks ahead, which delays the sound: its last part is pushed out by silence, and the delay is cut off. */
function limitLoudness(): string[] {
  const delay = LOOK_AHEAD_SECONDS.toFixed(3);
  return [
    `aresample=${LIMITING_RATE}`,
    `apad=pad_dur=${delay}`,
    `alimiter=limit=${LIMIT}:level=disabled:attack=${LOOK_AHEAD_SECONDS * 1_000}`,
    `atrim=start=${delay}`,
    "asetpts=PTS-STARTPTS",
    `aresample=${SAMPLE_RATE}`,
  ];
}
