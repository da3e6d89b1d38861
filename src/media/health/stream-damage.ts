/** How much of a stream is missing or damaged, and from how much on it is said or refused. Pure. */
import type { DecodedStream } from "../ffmpeg/run-report.ts";

/** A stream's damage: its share of the whole, and its seconds. */
export type Damage = { share: number; seconds: number };

/** ffmpeg's own limit, which it does not check in a run that ends before its input. */
const MOST_ERRORS = 2 / 3;
/** Repeated or broken frames of less are not seen. Clips cut from a longer video lose two or three frames at their start. */
const SHORTEST_PICTURE_SECONDS = 0.2;
/** Five frames of AAC. Shorter gaps are heard as a click at most; one or two lost frames at a cut are usual. */
const SHORTEST_SOUND_SECONDS = 0.1;

/** Returns whether so much of a stream could not be decoded that it is refused. */
export function isBeyondUse({ frames, errors }: DecodedStream): boolean {
  return errors / Math.max(1, frames + errors) > MOST_ERRORS;
}

/**
 * Returns the damage of a decoded picture, or null if it is too little to be seen. `expectedFrames` is what a stretch at a
 * constant rate holds: transport streams lose whole frames without an error. Frames before the stretch (`leadSeconds`), which
 * are decoded and dropped, may be damaged because seeking lands between keyframes.
 */
export function pictureDamage(
  { frames, corruptFrames, errors }: DecodedStream,
  options: { framesPerSecond: number; leadSeconds?: number; expectedFrames?: number },
): Damage | null {
  const { framesPerSecond, leadSeconds = 0, expectedFrames = 0 } = options;
  const found = corruptFrames + errors;
  const lead = leadSeconds * framesPerSecond;
  // without any error, the rate varies
  const missing = found === 0 ? 0 : Math.max(0, expectedFrames - (frames + errors - lead));
  const damaged = Math.max(0, found + missing - lead);
  const seconds = damaged / framesPerSecond;
  if (seconds < SHORTEST_PICTURE_SECONDS) return null;
  return { share: Math.min(1, damaged / (frames + errors + missing - lead)), seconds };
}

/** Returns the damage of a picture that was copied: packets that were left out because they are broken. */
export function copyDamage(read: number, written: number, framesPerSecond: number): Damage | null {
  const seconds = (read - written) / framesPerSecond;
  return seconds < SHORTEST_PICTURE_SECONDS ? null : { share: (read - written) / read, seconds };
}

/** Returns the damage of a decoded sound, or null if it is too little to be heard. */
export function soundDamage({ frames, errors, samples }: DecodedStream, sampleRate: number): Damage | null {
  if (frames === 0) return null;
  const seconds = (errors * samples) / frames / sampleRate;
  return seconds < SHORTEST_SOUND_SECONDS ? null : { share: errors / (frames + errors), seconds };
}
