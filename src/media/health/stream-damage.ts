/** How much of a stream is missing or damaged, and from how much on it is said or refused. Pure. */
import type { DecodedStream } from "../ffmpeg/run-report.ts";

/** A stream's damage: its share of the whole, and its seconds. */
export type Damage = { share: number; seconds: number };

/** ffmpeg's own limit, which it does not check in a run that ends before its input. */
const MAX_ERRORS = 2 / 3;
/** Repeated or broken frames of less are not seen. Clips cut from a longer video lose two or three frames at their start. */
const MIN_PICTURE_SECONDS = 0.2;
/** Five frames of AAC. Shorter gaps are heard as a click at most; one or two lost frames at a cut are usual. */
const MIN_SOUND_SECONDS = 0.1;

/** Returns whether so much of a stream could not be decoded that it is refused. */
export function isUnusable({ frames, errors }: DecodedStream): boolean {
  return errors / Math.max(1, frames + errors) > MAX_ERRORS;
}

/** Returns whether viewers notice the damage of a picture. */
export function isSeen({ seconds }: Damage): boolean {
  return seconds >= MIN_PICTURE_SECONDS;
}

/**
 * Returns how much of a picture the decoder found damaged. Frames before the stretch (`leadSeconds`), which are decoded and
 * dropped, may be damaged because seeking lands between keyframes.
 */
export function undecodedPicture(
  { frames, corruptFrames, errors }: DecodedStream,
  { framesPerSecond, leadSeconds }: { framesPerSecond: number; leadSeconds: number },
): Damage {
  const lead = leadSeconds * framesPerSecond;
  const damaged = Math.max(0, corruptFrames + errors - lead);
  return { share: Math.min(1, damaged / (frames + errors - lead)), seconds: damaged / framesPerSecond };
}

/** Returns the damage of a picture that was copied: packets that were left out because they are broken. */
export function copyDamage(read: number, written: number, framesPerSecond: number): Damage {
  return { share: (read - written) / read, seconds: (read - written) / framesPerSecond };
}

/**
 * Returns the damage of a sound that lasts `seconds`, or null if it is too little to be heard. `lostSeconds` are missing from the
 * file. Music that is repeated is decoded once.
 */
export function soundDamage(
  { frames, errors, samples }: DecodedStream,
  options: { sampleRate: number; seconds: number; lostSeconds: number },
): Damage | null {
  if (frames === 0) return null;
  const decodedSeconds = samples / options.sampleRate;
  const seconds = (errors / frames) * decodedSeconds + options.lostSeconds;
  if (seconds < MIN_SOUND_SECONDS) return null;
  return { share: Math.min(1, seconds / Math.min(options.seconds, decodedSeconds + seconds)), seconds };
}
