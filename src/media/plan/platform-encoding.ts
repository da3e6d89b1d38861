/** Encoder requirements of the platforms. Pure. */
import { type Platform, PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import type { FrameRate } from "./frame-rate.ts";

/** Also what encoders do on their own. */
const KEYFRAME_FRAMES = 250;
/** Loud noise exceeds the rate asked of ffmpeg's AAC encoder by up to 1.3 %. */
const SOUND_HEADROOM = 0.98;
/** Allows for rounding, so that half a second at 30 frames per second is 15 frames. */
const ROUNDING = 1e-6;

/** Returns the most frames from one keyframe to the next. */
export function keyframeFrames(platform: Platform | null, rate: FrameRate): number {
  const seconds = platform && PLATFORMS[platform].rules.maxKeyframeSeconds?.value;
  if (!seconds) return KEYFRAME_FRAMES;
  const most = Math.floor((seconds * rate.numerator) / rate.denominator + ROUNDING);
  return Math.min(KEYFRAME_FRAMES, Math.max(1, most));
}

/** Returns the bit rate to ask of the sound encoder, in kbit/s; null if the platform does not limit it. */
export function soundKbps(platform: Platform | null): number | null {
  const most = platform && PLATFORMS[platform].rules.maxAudioKbps?.value;
  return most ? Math.floor(most * SOUND_HEADROOM) : null;
}

/** Returns the frames that must be keyframes: the starts of equal parts, at most `most` frames long. */
export function spreadKeyframes(frames: number, most: number): number[] {
  const parts = Math.ceil(frames / most);
  return Array.from({ length: parts }, (_, i) => Math.floor((i * frames) / parts));
}
