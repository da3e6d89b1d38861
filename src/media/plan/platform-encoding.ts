/** What a platform asks of the encoders. Pure. */
import { type Platform, PLATFORMS } from "#contract/jobs/platforms.ts";
import type { FrameRate } from "./frame-rate.ts";

const SOUND_KBPS = 192;
/** Loud noise exceeds the rate asked of ffmpeg's AAC encoder by up to 1.3 %. */
const SOUND_HEADROOM = 0.98;
/** Allows for rounding, so that half a second at 30 frames per second is 15 frames. */
const ROUNDING = 1e-6;

/** Returns the most frames from one keyframe to the next; null leaves it to the encoder. */
export function keyframeFrames(platform: Platform | null, rate: FrameRate): number | null {
  const seconds = platform && PLATFORMS[platform].rules.maxKeyframeSeconds?.value;
  if (!seconds) return null;
  return Math.max(1, Math.floor((seconds * rate.numerator) / rate.denominator + ROUNDING));
}

/** Returns the bit rate to ask of the sound encoder, in kbit/s. */
export function soundKbps(platform: Platform | null): number {
  const most = platform && PLATFORMS[platform].rules.maxAudioKbps?.value;
  return most ? Math.min(SOUND_KBPS, Math.floor(most * SOUND_HEADROOM)) : SOUND_KBPS;
}

/** Returns the frames that must be keyframes: the starts of equal parts, at most `most` frames long. */
export function spreadKeyframes(frames: number, most: number | null): number[] {
  const parts = most === null ? 1 : Math.ceil(frames / most);
  return Array.from({ length: parts }, (_, i) => Math.floor((i * frames) / parts));
}
