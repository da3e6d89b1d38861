/** Tells speech from music and noise by its rhythm. Pure. */

const FRAME_SECONDS = 0.025;
const WINDOW_FRAMES = 40;
/** A window below this is silence: 50 dB below full scale. */
const SILENT_LEVEL = 0.003;
/**
 * Speech pauses between words and syllables: a good part of its frames is far quieter than the second around them, where music
 * fills the time (the "low short-time energy ratio" of Lu, Zhang and Jiang 2002). Set low: a song that is taken for speech
 * costs a transcription, speech that is missed costs what was said.
 */
const PAUSING_SHARE = 0.15;
const LEAST_PAUSING_WINDOWS = 0.2;

/** True when mono samples (-1 to 1) probably hold somebody's voice. */
export function soundsLikeSpeech(samples: Float32Array, sampleRate: number): boolean {
  const levels = levelsOf(samples, Math.round(sampleRate * FRAME_SECONDS));
  let heard = 0;
  let pausing = 0;
  for (let start = 0; start + WINDOW_FRAMES <= levels.length; start += WINDOW_FRAMES) {
    const window = levels.slice(start, start + WINDOW_FRAMES);
    const mean = window.reduce((sum, level) => sum + level, 0) / WINDOW_FRAMES;
    if (mean < SILENT_LEVEL) continue;
    heard += 1;
    if (window.filter((level) => level < mean / 2).length / WINDOW_FRAMES >= PAUSING_SHARE) pausing += 1;
  }
  return heard > 0 && pausing / heard >= LEAST_PAUSING_WINDOWS;
}

/** The loudness (root of the mean square) of each frame. */
function levelsOf(samples: Float32Array, frameLength: number): number[] {
  return Array.from({ length: Math.floor(samples.length / frameLength) }, (_, i) => {
    let squares = 0;
    for (let at = i * frameLength; at < (i + 1) * frameLength; at += 1) squares += samples[at]! ** 2;
    return Math.sqrt(squares / frameLength);
  });
}
