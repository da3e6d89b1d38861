/** Jobs whose videos are assembled from clips: one clip of each slot, in a row. No zod: the form loads it. */
import { JOB_LIMITS } from "../job-limits.ts";

type SlotClip = {
  link: string;
  start_seconds?: number;
  /** Null or absent means the clip's end. */
  end_seconds?: number | null;
};

export type Slot = {
  name: string;
  clips: SlotClip[];
  /** Shown instead of the job's captions while a clip of this slot plays. */
  captions?: string[];
};

/** `each`: the slots' first clips, then their second, and so on. A number: so many, spread evenly. */
export type Combine = "all" | "each" | number;

/** Two clips that no video may combine: links, or names such as `Hook 3`. */
export type Exclusion = [string, string];

/** The place of a clip in each slot, from 0. */
export type Combination = number[];

export const NO_CLIPS_LEFT = "No combination of clips is left. Remove an exclusion.";

export function clipName(slot: Pick<Slot, "name">, clip: number): string {
  return `${slot.name} ${clip + 1}`;
}

/** The field of name patterns, without braces: `part.hook` for the slot Hook. */
export function partField(name: string): string {
  return `part.${partKey(name)}`;
}

function partKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Clip n of a slot starts with caption n, and each further variant takes the next one. Null without captions. */
export function slotCaption({ captions = [] }: Slot, clip: number, variant: number): string | null {
  return captions[(clip + variant) % captions.length] ?? null;
}

/** Returns a sentence, or null. Accepts slots of the right shape. */
export function slotsProblem(slots: readonly Slot[], exclude: readonly Exclusion[]): string | null {
  if (slots.length === 0) return exclude.length > 0 ? "Exclusions need slots with clips" : null;
  if (slots.length < JOB_LIMITS.leastSlots) return `Use at least ${JOB_LIMITS.leastSlots} slots`;
  const names = slots.map(({ name }) => partKey(name));
  const repeated = slots.find((_, i) => names.indexOf(names[i]!) < i);
  if (repeated) return `Two slots are named "${repeated.name}"`;
  const empty = slots.find(({ clips }) => clips.length === 0);
  if (empty) return `The slot "${empty.name}" has no clips`;
  for (const slot of slots) {
    const cut = slot.clips.findIndex(({ start_seconds: start = 0, end_seconds: end = null }) => {
      // Rounded: 0.3 - 0.2 is slightly below 0.1.
      return end !== null && Math.round((end - start) * 1_000) < JOB_LIMITS.partSeconds * 1_000;
    });
    if (cut >= 0) return `${clipName(slot, cut)} must end at least 0.1 seconds after its start`;
  }
  for (const pair of exclude) {
    const unknown = pair.find((clip) => placesOf(slots, clip).length === 0);
    if (unknown !== undefined) return `The exclusion names "${unknown}", which is no clip of the job`;
    const slotsOf = pair.map((clip) => new Set(placesOf(slots, clip).map(({ slot }) => slot)));
    if ([...slotsOf[0]!, ...slotsOf[1]!].every((slot, _, all) => slot === all[0])) {
      return `The exclusion of "${pair[0]}" and "${pair[1]}" names clips of one slot, which no video combines`;
    }
  }
  return null;
}

type ClipPlace = { slot: number; clip: number };

/** A link may be in several slots. */
function placesOf(slots: readonly Slot[], named: string): ClipPlace[] {
  const key = named.trim();
  return slots.flatMap((slot, i) =>
    slot.clips.flatMap(({ link }, clip) =>
      link === key || clipName(slot, clip).toLowerCase() === key.toLowerCase() ? [{ slot: i, clip }] : [],
    ),
  );
}

/** Returns whether two clips may be in one video; null if any two may. */
export function pairRule(
  slots: readonly Slot[],
  exclude: readonly Exclusion[],
): ((a: ClipPlace, b: ClipPlace) => boolean) | null {
  if (exclude.length === 0) return null;
  const excluded = new Set<string>();
  for (const [first, second] of exclude) {
    for (const a of placesOf(slots, first)) {
      for (const b of placesOf(slots, second)) excluded.add(pairKey(a, b)).add(pairKey(b, a));
    }
  }
  return (a, b) => !excluded.has(pairKey(a, b));
}

function pairKey(a: ClipPlace, b: ClipPlace): string {
  return `${a.slot}.${a.clip} ${b.slot}.${b.clip}`;
}
