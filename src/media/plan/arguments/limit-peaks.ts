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
