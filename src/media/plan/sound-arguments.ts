/** The command line that encodes one sound. Pure. */
import { requireAudio } from "../required-streams.ts";
import type { Cut, MediaFile, PlannedSound, SoundSettings } from "./render-plan.ts";
import { openSource } from "./source-arguments.ts";

const SAMPLE_RATE = 48_000;
/** Long enough to take the click out of a cut, too short to be heard as a fade. */
const FADE_SECONDS = 0.02;
/** Below full scale, because AAC overshoots a little. */
const LIMIT = 0.95;

/**
 * The arguments that encode the sound to `file` as AAC, 192 kbit/s, 48 kHz, stereo, exactly as long as its cut. With a track:
 * the track alone (replace) or mixed with the source's sound (mix); without one, the source's own sound.
 */
export function soundArguments(
  sound: PlannedSound,
  options: { source: MediaFile; track: MediaFile | null; settings: SoundSettings; file: string },
): string[] {
  const { source, track, settings } = options;
  const isSourceHeard = source.probe.audio !== null && (track === null || settings.mode === "mix");
  const sourceGain = track === null ? 1 : settings.videoGain;
  const { cut } = sound;
  const chains: string[] = [];
  const parts: string[] = [];
  const inputs: string[] = [];
  if (isSourceHeard) {
    inputs.push(...openSource(source.path, { startSeconds: cut.startSeconds, seconds: cut.seconds }));
    chains.push(`[0:${requireAudio(source.probe).index}]${evenOut(source)},volume=${sourceGain}[source]`);
    parts.push("[source]");
  }
  if (track) {
    inputs.push(...openSource(track.path));
    const music = [evenOut(track), ...repeat(track, cut, settings.loop), `volume=${settings.musicGain}`];
    chains.push(`[${isSourceHeard ? 1 : 0}:${requireAudio(track.probe).index}]${music.join(",")}[music]`);
    parts.push("[music]");
  }
  const join = parts.length > 1 ? [`amix=inputs=${parts.length}:duration=longest:normalize=0`] : [];
  chains.push(`${parts.join("")}${[...join, ...finish(cut, sourceGain, settings, track !== null)].join(",")}[sound]`);
  return [
    ...inputs,
    ...["-filter_complex", chains.join(";"), "-map", "[sound]"],
    ...["-c:a", "aac", "-b:a", "192k", "-ar", String(SAMPLE_RATE), "-ac", "2"],
    ...["-map_metadata", "-1", "-f", "mp4", `file:${options.file}`],
  ];
}

/** Any rate and layout to ours; a late start and gaps are filled with silence, so that sound stays beside its picture. */
function evenOut(file: MediaFile): string {
  // ffmpeg's own way from mono to stereo is 3 dB quieter
  const spread = requireAudio(file.probe).channels === 1 ? "pan=stereo|c0=c0|c1=c0," : "";
  return `${spread}aresample=${SAMPLE_RATE}:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo`;
}

/** Repeats a track shorter than the picture, joined sample to sample. */
function repeat(track: MediaFile, cut: Cut, isLooped: boolean): string[] {
  if (!isLooped || track.probe.durationSeconds >= cut.seconds) return [];
  // MP4 says to the sample where the music ends; what the decoder gives beyond is padding and would be a gap
  const isEndKnown = /\bmov\b/.test(track.probe.formatName);
  const samples = Math.ceil(cut.seconds * SAMPLE_RATE);
  return [
    ...(isEndKnown ? [`atrim=end=${track.probe.durationSeconds.toFixed(6)}`] : []),
    // half the memory while it is held for repeating
    "aformat=sample_fmts=s16",
    `aloop=loop=-1:size=${samples}`,
    "aformat=sample_fmts=fltp",
  ];
}

/** Limits what gains can make too loud, and makes the length exact. */
function finish(cut: Cut, sourceGain: number, settings: SoundSettings, hasMusic: boolean): string[] {
  const mayClip = hasMusic ? settings.mode === "mix" || settings.musicGain > 1 : sourceGain > 1;
  const seconds = cut.seconds.toFixed(6);
  const fadeOutAt = Math.max(0, cut.seconds - FADE_SECONDS).toFixed(6);
  return [
    ...(mayClip ? [`alimiter=limit=${LIMIT}:level=disabled`] : []),
    "apad",
    `atrim=end=${seconds}`,
    ...(cut.isCutAtStart ? [`afade=t=in:d=${FADE_SECONDS}`] : []),
    ...(cut.isCutAtEnd || hasMusic ? [`afade=t=out:st=${fadeOutAt}:d=${FADE_SECONDS}`] : []),
  ];
}
