/** How fast a range of a source plays, with its pitch: 0.5 to 2, absent for 1. Cuts count on the playback clock. */
export type Paced = { speed?: number };

export function speedOf({ speed = 1 }: Paced): number {
  return speed;
}

/** Omits 1, so that footage at normal speed keeps its keys from before speeds existed. */
export function paced(speed: number): Paced {
  return speed === 1 ? {} : { speed };
}

/** Slightly less: at twice the output's rate, rounding would decide on every second frame. */
const HALF_A_FRAME = 0.49;

/** Returns how many playback frames early a slot starts, to show the nearest source frame. `lasts`: playback frames per source frame. */
export function earlyBy(speed: number, lasts: number): number {
  return speed === 1 ? HALF_A_FRAME : 1 - (1 - HALF_A_FRAME) * Math.min(1, lasts);
}

/** Returns the first playback frame that shows a frame of the source, or a later one. */
export function playedFrame(frame: number, speed: number): number {
  return speed === 1 ? frame : Math.floor(frame / speed + earlyBy(speed, 1 / speed));
}
