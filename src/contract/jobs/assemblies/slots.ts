/** Jobs whose videos are assembled from clips: one clip of each slot, in a row. No zod: the form loads it. */
import { JOB_LIMITS } from "../job-limits.ts";
import { isShorter, leastPartSeconds } from "../part-length.ts";

type SlotClip = {
  link: string;
  start_seconds?: number;
  /** Null or absent means the clip's end. */
  end_seconds?: number | null;
  /** By default the job's. */
  speed?: number;
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

/** Returns the parts' names, which replace the source's in the names of files; null for a video that is not assembled. */
export function sourceOfParts(pass: Readonly<Record<string, string>> | null): string | null {
  const names = Object.entries(pass ?? {}).flatMap(([field, name]) => (field.startsWith("part.") ? [name] : []));
  return names.length === 0 ? null : names.join("-");
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
  if (names.includes("")) return "Each slot needs a name";
  const empty = slots.find(({ clips }) => clips.length === 0);
  if (empty) return `The slot "${empty.name}" has no clips`;
  for (const slot of slots) {
    for (const [place, { start_seconds: start = 0, end_seconds: end = null, speed = 1 }] of slot.clips.entries()) {
      const least = leastPartSeconds(speed);
      if (end !== null && isShorter(end - start, least)) {
        return `${clipName(slot, place)} must end at least ${least} seconds after its start`;
      }
    }
  }
  const slotsByName = findSlots(slots);
  for (const pair of exclude) {
    const [first, second] = pair.map((clip) => slotsByName.get(nameKey(clip)));
    if (!first || !second) return `The exclusion names "${first ? pair[1] : pair[0]}", which is no clip of the job`;
    if (first.size === 1 && second.size === 1 && [...first][0] === [...second][0]) {
      return `The exclusion of "${pair[0]}" and "${pair[1]}" names clips of one slot, which no video combines`;
    }
  }
  return null;
}

/** The slots of the clips that a link or a name stands for. */
function findSlots(slots: readonly Slot[]): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const [slot, { clips }] of slots.entries()) {
    for (const clip of clips.keys()) {
      for (const key of keysOf(slots, { slot, clip })) found.set(key, (found.get(key) ?? new Set()).add(slot));
    }
  }
  return found;
}

type ClipPlace = { slot: number; clip: number };

/** What names the clip in exclusions. */
function keysOf(slots: readonly Slot[], { slot, clip }: ClipPlace): [link: string, name: string] {
  return [nameKey(slots[slot]!.clips[clip]!.link), nameKey(clipName(slots[slot]!, clip))];
}

/** Links differ by case, names do not. */
function nameKey(named: string): string {
  const trimmed = named.trim();
  return trimmed.includes("://") ? trimmed : trimmed.toLowerCase();
}

/** Of a clip that an exclusion names. Returns an unknown name as it is. */
export function clipLink(slots: readonly Slot[], named: string): string {
  const key = nameKey(named);
  for (const [slot, { clips }] of slots.entries()) {
    const found = clips.find((_, clip) => keysOf(slots, { slot, clip }).includes(key));
    if (found) return found.link;
  }
  return named;
}

/** Returns whether two clips may be in one video; null if any two may. */
export function pairRule(
  slots: readonly Slot[],
  exclude: readonly Exclusion[],
): ((a: ClipPlace, b: ClipPlace) => boolean) | null {
  if (exclude.length === 0) return null;
  const excluded = new Set(
    exclude.flatMap(([a, b]) => [pairKey(nameKey(a), nameKey(b)), pairKey(nameKey(b), nameKey(a))]),
  );
  const keys = slots.map(({ clips }, slot) => clips.map((_, clip) => keysOf(slots, { slot, clip })));
  return (a, b) =>
    !keys[a.slot]![a.clip]!.some((one) => keys[b.slot]![b.clip]!.some((other) => excluded.has(pairKey(one, other))));
}

function pairKey(a: string, b: string): string {
  return `${a}\n${b}`;
}
