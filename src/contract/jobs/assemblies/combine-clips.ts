import { JOB_LIMITS } from "../job-limits.ts";
import { type Combination, type Combine, type Exclusion, pairRule, type Slot } from "./slots.ts";
import { spreadEvenly } from "./spread-evenly.ts";

/** Bounds the search where exclusions leave next to nothing. */
const MOST_STEPS = 2_000_000;

/**
 * Returns the clips of each video, always the same for the same slots. With `all`, returns one more than the limit if
 * there are more; with a number, as many as there are if there are fewer.
 */
export function combineClips(
  slots: readonly Slot[],
  combine: Combine = "all",
  exclude: readonly Exclusion[] = [],
): Combination[] {
  if (slots.length === 0) return [];
  const sizes = slots.map(({ clips }) => clips.length);
  const isAllowed = pairRule(slots, exclude);
  const mayFollow: MayFollow = (before, clip) =>
    isAllowed === null ||
    before.every((other, slot) => isAllowed({ slot, clip: other }, { slot: before.length, clip }));
  if (combine === "each") return eachInTurn(sizes, mayFollow);
  if (combine === "all") return allOf(sizes, mayFollow, JOB_LIMITS.videos + 1);
  const most = Math.min(combine, JOB_LIMITS.videos + 1);
  return spreadEvenly(sizes, most, mayFollow, () => allOf(sizes, mayFollow, MOST_LISTED));
}

/** Up to twice as many as a job may have, the evenly spread ones can be found by leaving some out. */
const MOST_LISTED = 2 * JOB_LIMITS.videos;

type MayFollow = (before: Combination, clip: number) => boolean;

/** In the slots' order, the last slot's clips changing first. */
function allOf(sizes: readonly number[], mayFollow: MayFollow, most: number): Combination[] {
  const found: Combination[] = [];
  let steps = 0;
  function extend(before: Combination): void {
    if (before.length === sizes.length) found.push(before);
    for (let clip = 0; clip < (sizes[before.length] ?? 0); clip += 1) {
      steps += 1;
      if (found.length === most || steps > MOST_STEPS) return;
      if (mayFollow(before, clip)) extend([...before, clip]);
    }
  }
  extend([]);
  return found;
}

/** As many as the largest slot has clips. Smaller slots start again; an excluded clip gives way to the next one. */
function eachInTurn(sizes: readonly number[], mayFollow: MayFollow): Combination[] {
  const found: Combination[] = [];
  for (let turn = 0; turn < Math.max(...sizes); turn += 1) {
    const combination = takeTurn(sizes, turn, mayFollow);
    if (combination) found.push(combination);
  }
  return found;
}

function takeTurn(sizes: readonly number[], turn: number, mayFollow: MayFollow): Combination | null {
  let steps = 0;
  function extend(before: Combination): Combination | null {
    const size = sizes[before.length];
    if (size === undefined) return before;
    for (let next = 0; next < size; next += 1) {
      steps += 1;
      if (steps > MOST_STEPS / JOB_LIMITS.videos) return null;
      const clip = (turn + next) % size;
      const found = mayFollow(before, clip) ? extend([...before, clip]) : null;
      if (found) return found;
    }
    return null;
  }
  return extend([]);
}
