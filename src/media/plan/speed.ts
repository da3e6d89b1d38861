/** How fast a range of a source plays, with its pitch: 0.5 to 2, absent for 1. Cuts count on the clock of what plays. */
export type Paced = { speed?: number };

export function speedOf({ speed = 1 }: Paced): number {
  return speed;
}

/** Omits 1, so that what plays as it is has the keys that it had before there were speeds. */
export function paced(speed: number): Paced {
  return speed === 1 ? {} : { speed };
}
