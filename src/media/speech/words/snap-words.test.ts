import { expect, test } from "vitest";
import { ENERGY_STEP_SECONDS, findIslands } from "./energy.ts";
import { snapWords } from "./snap-words.ts";

/** Repeatable. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const TEXTS = ["a", "to", "red", "blue", "seven", "kitchen", "tomorrow", "wonderful", "understanding"];

type Spoken = { text: string; startSeconds: number; endSeconds: number };

/** `pauseOf` returns the pause before a word. */
function speak(count: number, next: () => number, pauseOf: (i: number) => number): Spoken[] {
  let at = 0.5;
  return Array.from({ length: count }, (_, i) => {
    const text = TEXTS[Math.floor(next() * TEXTS.length)]!;
    at += pauseOf(i);
    const startSeconds = at;
    at += 0.12 + 0.06 * text.length * (0.8 + 0.4 * next());
    return { text, startSeconds, endSeconds: at };
  });
}

/** Syllables are loud, their ends quieter, and pauses have noise. */
function levelsOf(words: readonly Spoken[], noiseDb: number, next: () => number): Float32Array {
  const levels = new Float32Array(Math.ceil((words.at(-1)!.endSeconds + 1) / ENERGY_STEP_SECONDS));
  for (const i of levels.keys()) levels[i] = noiseDb + 3 * (next() - 0.5);
  for (const { startSeconds, endSeconds } of words) {
    const [from, to] = [startSeconds, endSeconds].map((seconds) => Math.round(seconds / ENERGY_STEP_SECONDS));
    for (let i = from!; i < to!; i++) {
      const share = (i - from!) / (to! - from!);
      levels[i] = -20 - 8 * share - 4 * Math.abs(Math.sin(9 * share)) + 2 * next();
    }
    // The start of a word is a dip in what would else be continuous.
    for (let i = from! - 3; i < from! + 2; i++) levels[i] = Math.min(levels[i]!, -34);
  }
  return levels;
}

function wrong(words: readonly Spoken[], seconds: number, next: () => number): Spoken[] {
  const move = () => (2 * next() - 1) * seconds;
  return words.map(({ text, startSeconds, endSeconds }) => {
    return { text, startSeconds: Math.max(0, startSeconds + move()), endSeconds: Math.max(0, endSeconds + move()) };
  });
}

function measure(words: readonly Spoken[], given: readonly Spoken[], noiseDb: number, next: () => number) {
  const levels = levelsOf(words, noiseDb, next);
  const speech = [{ startSeconds: words[0]!.startSeconds - 0.1, endSeconds: words.at(-1)!.endSeconds + 0.1 }];
  const snapped = snapWords(given, findIslands(levels, speech), levels);
  const starts = snapped.map(({ startSeconds }) => startSeconds);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  for (const { startSeconds, endSeconds } of snapped) expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
  const errors = snapped
    .map((word, i) => Math.abs(word.startSeconds - words[i]!.startSeconds))
    .toSorted((a, b) => a - b);
  return { median: errors[Math.floor(errors.length / 2)]!, most95: errors[Math.floor(errors.length * 0.95)]! };
}

test.each([
  ["with pauses of 0.15 s or more, in silence", 0.15, 0.5, -90],
  ["with pauses of 0.15 s or more, over noise", 0.15, 0.5, -42],
  ["with pauses of 0.3 s or more, over loud noise", 0.3, 0.5, -34],
])("words %s come right, even if their times are wrong by up to 0.3 s", (_, least, more, noiseDb) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const next = random(seed);
    const words = speak(200, next, () => least + more * next());
    const { median, most95 } = measure(words, wrong(words, 0.3, next), noiseDb, next);
    expect(median).toBeLessThan(0.02);
    expect(most95).toBeLessThan(0.06);
  }
});

test("corrects words that are off by up to 0.25 s and all late by 0.2 s", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const next = random(seed);
    const words = speak(200, next, () => 0.2 + 0.5 * next());
    const late = wrong(words, 0.25, next);
    for (const word of late) word.startSeconds += 0.2;
    const { median, most95 } = measure(words, late, -60, next);
    expect(median).toBeLessThan(0.02);
    expect(most95).toBeLessThan(0.08);
  }
});

test("corrects phrases that a recognizer reports 0.25 s late, with the words in them", () => {
  for (const seed of [1, 2, 3]) {
    const next = random(seed);
    const words = speak(200, next, (i) => (i % 5 === 0 ? 0.4 + next() : 0));
    const late = words.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + 0.25 + 0.04 * (next() - 0.5),
      endSeconds: word.endSeconds + 0.25,
    }));
    const { median, most95 } = measure(words, late, -60, next);
    expect(median).toBeLessThan(0.02);
    expect(most95).toBeLessThan(0.08);
  }
});

test("correct words stay in place, and so do all words without speech", () => {
  const next = random(7);
  const words = speak(100, next, (i) => (i % 4 === 0 ? 0.3 : 0));
  expect(measure(words, words, -60, next).most95).toBeLessThan(0.04);
  expect(snapWords(words, [], new Float32Array())).toEqual(words);
});
