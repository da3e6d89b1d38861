import type { VideoStream } from "../../probe/probe-report.ts";
import { type FrameRate, secondsOf } from "../fit-size.ts";
import { earlyBy } from "../speed.ts";
import type { FramePlan } from "../render-plan.ts";

/** Counts from the source's start, at its own speed. */
export function frameAt(seconds: number, { frameRate, offsetSeconds }: FramePlan): number {
  return ((seconds - offsetSeconds) * frameRate.numerator) / frameRate.denominator;
}

/** Puts changes of the picture on the playback clock. */
export function atSpeed(video: VideoStream, speed: number): VideoStream {
  if (speed === 1) return video;
  const pixelAspects = video.pixelAspects.map((change) => ({ ...change, fromSeconds: change.fromSeconds / speed }));
  return { ...video, pixelAspects };
}

/**
 * Slots start half a frame early and times round down, because the filter then keeps a last frame that ends before its
 * slot does. Exact only with a fine time base. At another speed, a slot shows the frame of the source that is nearest to
 * its start: at twice the speed the frames 0, 2, 4.
 */
export function layOnGrid(
  { frameRate, offsetSeconds }: FramePlan,
  { framesPerSecond }: VideoStream,
  speed: number,
): string[] {
  const lasts = frameRate.numerator / frameRate.denominator / framesPerSecond / speed;
  const startSeconds = offsetSeconds / speed - secondsOf(earlyBy(speed, lasts), frameRate);
  return [
    "settb=AVTB",
    ...(speed === 1 ? [] : [`setpts=PTS/${speed}`]),
    `fps=${rateOf({ frameRate })}:start_time=${startSeconds.toFixed(6)}:round=down:eof_action=pass`,
  ];
}

export function rateOf({ frameRate }: { frameRate: FrameRate }): string {
  return `${frameRate.numerator}/${frameRate.denominator}`;
}
