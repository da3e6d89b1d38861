import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { type Island, quietestIn } from "./energy.ts";

type Timed = { text: string } & Window;

/** Recognizers' times are off by up to this much. */
const MOST_SECONDS = 0.45;
/** Longer runs of words without a pause, or of pauses within one word, are not considered. */
const MOST_WORDS_BETWEEN = 14;
const MOST_ISLANDS_BETWEEN = 8;
/** Cost of a word that does not start at a pause. */
const FREE_COST = 0.9;
/** Cost of a word that starts this far from its pause. */
const SHIFT_COST = { seconds: 0.3, cost: 0.8 };
/** A pause within a word costs more the longer it is. */
const PAUSE_COST = { seconds: 0.15, cost: 0.6, most: 3 };
/** Cost of words e times as long or short as their letters suggest. */
const LENGTH_COST = { cost: 0.5, most: 0.75 };
const [BASE_SECONDS, SECONDS_PER_LETTER] = [0.08, 0.065];
/** Words within an island start at a dip, if there is one near and deep enough. */
const DIP = { withinSeconds: 0.07, leastDb: 8 };
const LEAST_WORD_SECONDS = 0.04;

type Anchor = { word: number; island: number; cost: number; before: Anchor | null };

/**
 * Moves words to the sound. Words after a pause start with the sound; others keep their distance to these, and start in
 * the nearest dip of the level. The pauses are found that fit best to all words together: a word may have moved further
 * than its neighbor is away. Words keep their order.
 */
export function snapWords<Word extends Timed>(
  words: readonly Word[],
  islands: readonly Island[],
  levels: Float32Array,
): Word[] {
  if (islands.length === 0) return [...words];
  const timed = withoutLag(words, islands);
  const starts = placeBetween(timed, findAnchors(timed, islands), { islands, levels });
  return words.map((word, i) => {
    const startSeconds = starts[i]!;
    const next = starts[i + 1] ?? word.endSeconds + MOST_SECONDS;
    return { ...word, startSeconds, endSeconds: endOf(startSeconds, next, islands) };
  });
}

/** Many recognizers are late or early with all words, which would put fewer pauses within reach. */
function withoutLag(words: readonly Timed[], islands: readonly Island[]): readonly Timed[] {
  const shifts = [...findAnchors(words, islands)].map(
    ([word, island]) => islands[island]!.startSeconds - words[word]!.startSeconds,
  );
  const lag = shifts.toSorted((a, b) => a - b)[Math.floor(shifts.length / 2)] ?? 0;
  return words.map(({ text, startSeconds, endSeconds }) => {
    return { text, startSeconds: startSeconds + lag, endSeconds: endSeconds + lag };
  });
}

/** Returns the island that each word starts, if any, minimizing the total cost. */
function findAnchors(words: readonly Timed[], islands: readonly Island[]): ReadonlyMap<number, number> {
  const sounding = runningSum(islands.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds));
  const expected = runningSum(words.map(({ text }) => BASE_SECONDS + SECONDS_PER_LETTER * text.trim().length));
  const pauses = runningSum(islands.map(({ gapBefore }) => costOfPause(gapBefore)));
  const costBetween = (from: Anchor, word: number, island: number): number => {
    const free = word - from.word - 1;
    const skipped = pauses[island]! - pauses[Math.min(from.island + 1, island)]!;
    const isStart = from.word < 0;
    const ratio = isStart ? 1 : (sounding[island]! - sounding[from.island]!) / (expected[word]! - expected[from.word]!);
    const length = Math.min(LENGTH_COST.most, LENGTH_COST.cost * Math.abs(Math.log(Math.max(ratio, 1e-3))));
    return from.cost + free * FREE_COST + skipped + length;
  };
  const root: Anchor = { word: -1, island: -1, cost: 0, before: null };
  /** The last anchors found, and the best end so far. */
  let recent: Anchor[] = [root];
  let firstNear = 0;
  for (const [word, { startSeconds }] of words.entries()) {
    while (firstNear < islands.length && islands[firstNear]!.startSeconds < startSeconds - 3 * MOST_SECONDS)
      firstNear++;
    const found: Anchor[] = [];
    for (let island = firstNear; island < islands.length; island++) {
      const shift = Math.abs(islands[island]!.startSeconds - startSeconds);
      if (islands[island]!.startSeconds > startSeconds + MOST_SECONDS) break;
      if (shift > MOST_SECONDS) continue;
      const shiftCost = (shift / SHIFT_COST.seconds) * SHIFT_COST.cost;
      let best: Anchor | null = null;
      for (const before of recent) {
        if (before.island >= island || before.word >= word) continue;
        const cost = costBetween(before, word, island) + shiftCost;
        if (!best || cost < best.cost) best = { word, island, cost, before };
      }
      if (best) found.push(best);
    }
    const kept = recent.filter((anchor) => word - anchor.word < MOST_WORDS_BETWEEN);
    recent = [...(kept.length > 0 ? kept : [cheapest(recent, word)]), ...found];
    if (recent.length > MOST_WORDS_BETWEEN * MOST_ISLANDS_BETWEEN)
      recent = recent.slice(-MOST_WORDS_BETWEEN * MOST_ISLANDS_BETWEEN);
  }
  const anchors = new Map<number, number>();
  for (let at: Anchor | null = cheapest(recent, words.length); at && at.word >= 0; at = at.before) {
    anchors.set(at.word, at.island);
  }
  return anchors;
}

/** After which all later words would be free. */
function cheapest(anchors: readonly Anchor[], words: number): Anchor {
  const costOf = ({ cost, word }: Anchor) => cost + (words - word - 1) * FREE_COST;
  return anchors.reduce((best, one) => (costOf(one) < costOf(best) ? one : best));
}

function costOfPause(seconds: number): number {
  return Math.min(PAUSE_COST.most, PAUSE_COST.cost * (seconds / PAUSE_COST.seconds) ** 1.5);
}

/** `sums[i]` is that of the first i values. */
function runningSum(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return sums;
}

function placeBetween(
  words: readonly Timed[],
  anchors: ReadonlyMap<number, number>,
  { islands, levels }: { islands: readonly Island[]; levels: Float32Array },
): number[] {
  const starts: number[] = [];
  const anchored = [...anchors.keys()].toSorted((a, b) => a - b);
  const shiftOf = (word: number) => islands[anchors.get(word)!]!.startSeconds - words[word]!.startSeconds;
  let next = 0;
  for (const [i, { startSeconds }] of words.entries()) {
    if (anchors.has(i)) {
      starts.push(islands[anchors.get(i)!]!.startSeconds);
      next++;
      continue;
    }
    const [before, after] = [anchored[next - 1], anchored[next]];
    const least = i === 0 ? 0 : starts[i - 1]! + LEAST_WORD_SECONDS;
    const room = after === undefined ? Infinity : islands[anchors.get(after)!]!.startSeconds;
    const most = Math.max(least, room - (after === undefined ? 0 : (after - i) * LEAST_WORD_SECONDS));
    const shifts = [before, after].flatMap((word) => (word === undefined ? [] : [{ word, shift: shiftOf(word) }]));
    const moved = startSeconds + shiftBetween(words, startSeconds, shifts);
    const wanted = Math.min(most, Math.max(least, moved));
    starts.push(Math.min(most, Math.max(least, toSound(wanted, islands, levels))));
  }
  return starts;
}

/** Of a word between anchored ones: nearer ones count for more. */
function shiftBetween(
  words: readonly Timed[],
  startSeconds: number,
  shifts: readonly { word: number; shift: number }[],
): number {
  const weights = shifts.map(({ word }) => 1 / Math.max(0.05, Math.abs(words[word]!.startSeconds - startSeconds)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return sum === 0 ? 0 : shifts.reduce((all, { shift }, i) => all + shift * weights[i]!, 0) / sum;
}

function toSound(seconds: number, islands: readonly Island[], levels: Float32Array): number {
  const next = islands[firstEndingAfter(islands, seconds)];
  if (!next) return seconds;
  if (next.startSeconds >= seconds) return next.startSeconds - seconds < MOST_SECONDS ? next.startSeconds : seconds;
  const { withinSeconds, leastDb } = DIP;
  const near = { startSeconds: seconds - withinSeconds, endSeconds: seconds + withinSeconds };
  const dip = quietestIn(levels, near);
  return dip.depthDb >= leastDb ? dip.at : seconds;
}

/** The end of the sound before the next word. */
function endOf(startSeconds: number, next: number, islands: readonly Island[]): number {
  let last = firstEndingAfter(islands, startSeconds);
  while (last + 1 < islands.length && islands[last + 1]!.startSeconds < next) last++;
  return Math.max(startSeconds, Math.min(next, islands[last]?.endSeconds ?? next));
}

/** Uses binary search: there may be thousands. */
function firstEndingAfter(islands: readonly Island[], seconds: number): number {
  let [low, high] = [0, islands.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (islands[middle]!.endSeconds > seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}
