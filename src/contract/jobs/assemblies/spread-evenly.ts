/**
 * A nearly orthogonal array with mixed levels: combinations are its runs, slots its columns. As in Xu, "An Algorithm for
 * Constructing Orthogonal and Nearly-Orthogonal Arrays With Mixed Levels and Small Runs" (Technometrics 44, 2002),
 * columns are added one by one, each balanced, and two entries of a column are exchanged while that evens out the pairs.
 */
import type { Combination } from "./slots.ts";

/** `before` are the clips of the slots to the left. */
type MayFollow = (before: Combination, clip: number) => boolean;

/** More than any sum of pairs can gain. */
const FORBIDDEN = 1e9;
const EXCHANGES_PER_COLUMN = 30_000;
/** Exchanges between two looks at whether the pairs are even. */
const EXCHANGES_AT_ONCE = 500;

/**
 * Returns `count` different combinations, or all if there are fewer, in the slots' order. Without excluded pairs, the
 * counts of a slot's clips differ by at most one, and those of two slots' pairs as little as the exchanges reach.
 * `listAll` may omit some if there are far more than `count`.
 */
export function spreadEvenly(
  sizes: readonly number[],
  count: number,
  mayFollow: MayFollow,
  listAll: () => Combination[],
): Combination[] {
  const all = listAll();
  if (all.length <= count) return all;
  const isUnrestricted = all.length === sizes.reduce((product, size) => product * size, 1);
  if (isUnrestricted && count > all.length / 2) {
    // Left-out combinations are spread evenly, so the others are, too. Few are faster to spread than many.
    const leftOut = new Set(choose(sizes, all.length - count, mayFollow, all).map(String));
    return all.filter((combination) => !leftOut.has(String(combination)));
  }
  return choose(sizes, count, mayFollow, all).toSorted(inOrder);
}

function choose(
  sizes: readonly number[],
  count: number,
  mayFollow: MayFollow,
  all: readonly Combination[],
): Combination[] {
  const rows: Combination[] = Array.from({ length: count }, () => []);
  const random = createRandom();
  for (const [slot, size] of sizes.entries()) {
    const column = new Column(rows, size, { mayFollow, isLast: slot === sizes.length - 1 });
    column.fill();
    column.exchange(random);
    for (const [i, row] of rows.entries()) row.push(column.clips[i]!);
  }
  return withoutForbidden(rows, mayFollow, all);
}

type ColumnOptions = { mayFollow: MayFollow; isLast: boolean };

/** The clips of one slot, while it is added to rows with clips of the slots to the left. */
class Column {
  readonly clips: number[] = [];
  readonly #rows: readonly Combination[];
  readonly #size: number;
  readonly #options: ColumnOptions;
  /** By left slot, its clip and this slot's clip. */
  readonly #pairs: number[][][];
  /** Each row's number among the different ones, and how often it occurs with each clip; empty before the last slot. */
  readonly #rowNumbers: number[] = [];
  readonly #whole: number[] = [];

  constructor(rows: readonly Combination[], size: number, options: ColumnOptions) {
    this.#rows = rows;
    this.#size = size;
    this.#options = options;
    const left = rows[0]?.length ?? 0;
    this.#pairs = Array.from({ length: left }, () => []);
    if (!options.isLast) return;
    const numbers = new Map<string, number>();
    for (const row of rows) {
      const number = numbers.get(String(row)) ?? numbers.size;
      numbers.set(String(row), number);
      this.#rowNumbers.push(number);
    }
  }

  /** Gives each row the clip that makes the least uneven pairs, from those still due. */
  fill(): void {
    const count = this.#rows.length;
    const used = Array.from({ length: this.#size }, () => 0);
    let extra = count % this.#size;
    const each = Math.floor(count / this.#size);
    for (const [i] of this.#rows.entries()) {
      let best = -1;
      let least = Infinity;
      for (let step = 0; step < this.#size; step += 1) {
        const clip = (i + step) % this.#size;
        const isDue = used[clip]! < each || (used[clip] === each && extra > 0);
        const cost = isDue ? this.#costOf(i, clip) : Infinity;
        if (cost < least) [best, least] = [clip, cost];
      }
      if (used[best] === each) extra -= 1;
      used[best]! += 1;
      this.clips.push(best);
      this.#count(i, best, 1);
    }
  }

  exchange(random: () => number): void {
    const rows = this.#rows.length;
    if (rows < 2 || this.#pairs.length === 0) return;
    for (let step = 0; step < EXCHANGES_PER_COLUMN; step += 1) {
      if (step % EXCHANGES_AT_ONCE === 0 && this.#isEven()) return;
      const i = Math.floor(random() * rows);
      const j = Math.floor(random() * rows);
      const [a, b] = [this.clips[i]!, this.clips[j]!];
      if (a === b) continue;
      this.#count(i, a, -1);
      this.#count(j, b, -1);
      const before = this.#costOf(i, a) + this.#costAfter(i, a, j, b);
      const after = this.#costOf(i, b) + this.#costAfter(i, b, j, a);
      // Equally good ones are taken, too: they lead out of dead ends.
      const [clipOfI, clipOfJ] = after <= before ? [b, a] : [a, b];
      this.#count(i, clipOfI, 1);
      this.#count(j, clipOfJ, 1);
      this.clips[i] = clipOfI;
      this.clips[j] = clipOfJ;
    }
  }

  #isEven(): boolean {
    const isForbidden = this.clips.some((clip, i) => this.#isForbidden(i, clip, 1));
    return (
      !isForbidden &&
      this.#pairs.every((byClip) => {
        const counts = byClip.flat();
        return Math.max(...counts) - Math.min(...counts) <= 1;
      })
    );
  }

  /** True if the row may not have the clip, or too many such rows have it already. */
  #isForbidden(i: number, clip: number, allowed: number): boolean {
    const { mayFollow, isLast } = this.#options;
    const isRepeated = isLast && (this.#whole[this.#wholeKey(i, clip)] ?? 0) > allowed;
    return isRepeated || !mayFollow(this.#rows[i]!, clip);
  }

  #wholeKey(i: number, clip: number): number {
    return this.#rowNumbers[i]! * this.#size + clip;
  }

  /** What the pairs of row `j` cost once row `i` has its clip. */
  #costAfter(i: number, clipOfI: number, j: number, clip: number): number {
    this.#count(i, clipOfI, 1);
    const cost = this.#costOf(j, clip);
    this.#count(i, clipOfI, -1);
    return cost;
  }

  /** How often the row's pairs with the clip occur already. */
  #costOf(i: number, clip: number): number {
    const row = this.#rows[i]!;
    let cost = 0;
    for (let slot = 0; slot < row.length; slot += 1) cost += this.#pairs[slot]![row[slot]!]?.[clip] ?? 0;
    return cost + (this.#isForbidden(i, clip, 0) ? FORBIDDEN : 0);
  }

  #count(i: number, clip: number, change: number): void {
    const row = this.#rows[i]!;
    for (let slot = 0; slot < row.length; slot += 1) {
      const counts = (this.#pairs[slot]![row[slot]!] ??= Array.from({ length: this.#size }, () => 0));
      counts[clip]! += change;
    }
    if (!this.#options.isLast) return;
    const key = this.#wholeKey(i, clip);
    this.#whole[key] = (this.#whole[key] ?? 0) + change;
  }
}

/** Replaces excluded and repeated rows by those whose clips were used least. */
function withoutForbidden(
  rows: readonly Combination[],
  mayFollow: MayFollow,
  all: readonly Combination[],
): Combination[] {
  const kept = new Map<string, Combination>();
  const isAllowed = (row: Combination) => row.every((clip, slot) => mayFollow(row.slice(0, slot), clip));
  for (const row of rows) if (isAllowed(row)) kept.set(String(row), row);
  const uses = (kept.values().next().value ?? []).map(() => new Map<number, number>());
  const use = (row: Combination): void => {
    for (const [slot, clip] of row.entries()) uses[slot]?.set(clip, (uses[slot].get(clip) ?? 0) + 1);
  };
  for (const row of kept.values()) use(row);
  const usesOf = (row: Combination) => row.reduce((sum, clip, slot) => sum + (uses[slot]?.get(clip) ?? 0), 0);
  while (kept.size < rows.length) {
    let best: Combination | null = null;
    for (const row of all) {
      if (!kept.has(String(row)) && (best === null || usesOf(row) < usesOf(best))) best = row;
    }
    if (best === null) break;
    kept.set(String(best), best);
    use(best);
  }
  return [...kept.values()];
}

function inOrder(a: Combination, b: Combination): number {
  const slot = a.findIndex((clip, i) => clip !== b[i]);
  return slot === -1 ? 0 : a[slot]! - b[slot]!;
}

/** The same numbers on every call, so that a job is combined the same everywhere (mulberry32). */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
