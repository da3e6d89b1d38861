import type { DecodedStream } from "../ffmpeg/run-report.ts";

export type Damage = { share: number; seconds: number };

/** ffmpeg's own limit, which it does not check if a run stops early. */
const MAX_ERRORS = 2 / 3;
/** Less goes unnoticed. Clips cut from a longer video lose two or three frames at their start. */
const MIN_PICTURE_SECONDS = 0.2;
/** Five frames of AAC. Shorter gaps are at most a click; one or two lost frames at a cut are usual. */
const MIN_SOUND_SECONDS = 0.1;

export function isUnusable({ frames, errors }: DecodedStream): boolean {
  return errors / Math.max(1, frames + errors) > MAX_ERRORS;
}

export function isSeen({ seconds }: Damage): boolean {
  return seconds >= MIN_PICTURE_SECONDS;
}

/** Seeking lands between keyframes, so the dropped `leadSeconds` may be damaged. */
export function undecodedPicture(
  { frames, corruptFrames, errors }: DecodedStream,
  { framesPerSecond, leadSeconds }: { framesPerSecond: number; leadSeconds: number },
): Damage {
  const lead = leadSeconds * framesPerSecond;
  const damaged = Math.max(0, corruptFrames + errors - lead);
  return { share: Math.min(1, damaged / (frames + errors - lead)), seconds: damaged / framesPerSecond };
}

export function copyDamage(read: number, written: number, framesPerSecond: number): Damage {
  return { share: (read - written) / read, seconds: (read - written) / framesPerSecond };
}

/** Returns null if the damage is inaudible. `lostSeconds` are missing from the file. Looped music is decoded once. */
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
