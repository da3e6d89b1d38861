import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import type { FrameRate } from "./fit-size.ts";

/** Also the encoders' own default. */
const KEYFRAME_FRAMES = 250;
/** Loud noise exceeds the requested rate of ffmpeg's AAC encoder by up to 1.3 %. */
const SOUND_HEADROOM = 0.98;
/** So that half a second at 30 frames per second is 15 frames. */
const ROUNDING = 1e-6;

/** Most frames from one keyframe to the next. */
export function keyframeFrames(platform: Platform | null, rate: FrameRate): number {
  const seconds = platform && PLATFORMS[platform].rules.maxKeyframeSeconds?.value;
  if (!seconds) return KEYFRAME_FRAMES;
  const most = Math.floor((seconds * rate.numerator) / rate.denominator + ROUNDING);
  return Math.min(KEYFRAME_FRAMES, Math.max(1, most));
}

/** In kbit/s, for the encoder; null if the platform sets no limit. */
export function soundKbps(platform: Platform | null): number | null {
  const most = platform && PLATFORMS[platform].rules.maxAudioKbps?.value;
  return most ? Math.floor(most * SOUND_HEADROOM) : null;
}

/** Returns the starts of equal parts of at most `most` frames. */
export function spreadKeyframes(frames: number, most: number): number[] {
  const parts = Math.ceil(frames / most);
  return Array.from({ length: parts }, (_, i) => Math.floor((i * frames) / parts));
}
