/** In hertz: excludes rumble and hiss. */
const VOICE_HZ = { from: 200, to: 3_500 };
/** 42 dB below full scale; quieter sound does not count as a voice. */
const QUIETEST_VOICE = 0.008;
/** Raises the quietest voice to full scale, where all voices clip: quiet speech lowers music as far as loud. */
const BOOST_DB = 42;
/** Of the compressor that lowers the music. The clipped voice is `OVER_DB` above its threshold. */
const THRESHOLD = 0.03;
const RATIO = 20;
const OVER_DB = 28;
/**
 * The compressor smooths the voice's power, so music falls within about 40 ms, stays down for 0.3 s after a word, and
 * rises within 0.7 s: pauses between words do not raise it.
 */
const ATTACK_MILLISECONDS = 400;
const RELEASE_MILLISECONDS = 600;

/** Turns [source] and [music] into [heard] and [ducked]. The music is lowered by at most `decibels`, however loud the voice is. */
export function duckMusic(decibels: number, seconds: number): string[] {
  // The compressor almost mutes the music; adding back a share of the original limits the fall.
  const lowered = toAmplitude(-decibels);
  const muted = toAmplitude(-OVER_DB * (1 - 1 / RATIO));
  const mix = Math.min(1, (1 - lowered) / (1 - muted));
  const voice = [
    `highpass=f=${VOICE_HZ.from}`,
    `lowpass=f=${VOICE_HZ.to}`,
    `agate=threshold=${QUIETEST_VOICE}:range=0:ratio=9000:attack=5:release=100`,
    `volume=${BOOST_DB}dB`,
    "asoftclip=type=hard",
    // Music continues after the source's sound.
    "apad",
    `atrim=end=${seconds.toFixed(6)}`,
  ];
  const compressor = [
    `threshold=${THRESHOLD}`,
    `ratio=${RATIO}`,
    "knee=1",
    `attack=${ATTACK_MILLISECONDS}`,
    `release=${RELEASE_MILLISECONDS}`,
    `mix=${mix.toFixed(4)}`,
  ];
  return [
    "[source]asplit[heard][voice]",
    `[voice]${voice.join(",")}[key]`,
    `[music][key]sidechaincompress=${compressor.join(":")}[ducked]`,
  ];
}

function toAmplitude(decibels: number): number {
  return 10 ** (decibels / 20);
}

const LOOK_AHEAD_SECONDS = 0.01;
/** Catches peaks between samples: otherwise loud music comes out of AAC up to 4 dB too high. */
const LIMITING_RATE = 96_000;
/** The lowest limit of ffmpeg's limiter. */
const LOWEST_LIMIT = 0.0625;

/**
 * The look-ahead causes no delay: silence pushes out the last part, and the start is trimmed. `limit` is an amplitude
 * from 0 to 1; the output has `sampleRate`.
 */
export function limitPeaks(limit: number, sampleRate: number): string[] {
  const delay = LOOK_AHEAD_SECONDS.toFixed(3);
  const ceiling = Math.min(1, Math.max(LOWEST_LIMIT, limit)).toFixed(4).replace(/0+$/, "");
  return [
    `aresample=${LIMITING_RATE}`,
    `apad=pad_dur=${delay}`,
    `alimiter=limit=${ceiling}:level=disabled:attack=${LOOK_AHEAD_SECONDS * 1_000}`,
    `atrim=start=${delay}`,
    "asetpts=PTS-STARTPTS",
    `aresample=${sampleRate}`,
  ];
}
