import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findFillers } from "./find-fillers.ts";
import { spreadWords, type Word } from "./transcript.ts";

const word = (text: string, startSeconds: number, endSeconds: number): Word => ({
  text: `${text} `,
  startSeconds,
  endSeconds,
});
const lineOf = (...words: [Word, ...Word[]]) => ({
  startSeconds: words[0].startSeconds,
  endSeconds: words.at(-1)!.endSeconds,
  words,
});
const find = (...words: [Word, ...Word[]]) => findFillers({ lines: [lineOf(...words)], language: "en-US" }, 0);
const rounded = (found: ReturnType<typeof find>) =>
  found.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds].map((time) => Number(time.toFixed(3))));

function spread(text: string, from: number, until: number) {
  const marks = [
    { at: 0, seconds: from },
    { at: text.length, seconds: until },
  ] as const;
  return lineOf(...(spreadWords(text, marks) as [Word, ...Word[]]));
}

test("takes fillers with the pause beside them, on the clock of windows", () => {
  const words = [word("So", 1, 1.2), word("um,", 1.5, 1.8), word("we", 2.2, 2.4)] as const;
  expect(rounded(find(...words))).toEqual([[1.45, 1.85]]);
  expect(rounded(findFillers({ lines: [lineOf(...words)], language: "en" }, 0.4))).toEqual([[1.05, 1.45]]);
  // "Um" is a German word.
  expect(findFillers({ lines: [lineOf(...words)], language: "de" }, 0)).toEqual([]);
  expect(findFillers({ lines: [lineOf(...words)], language: null }, 0)).toEqual([]);
});

test("leaves 50 ms beside words spoken without a pause, in any line, even if they are hidden", () => {
  const um = word("Uhm", 1.3, 1.7);
  expect(rounded(find(word("so", 1, 1.3), um, word("we", 1.7, 2)))).toEqual([[1.35, 1.65]]);
  expect(rounded(find({ ...word("so", 1, 1.33), hidden: true }, um, word("we", 1.9, 2)))).toEqual([[1.38, 1.75]]);
  const lines = [lineOf(word("so", 1, 1.5)), lineOf({ ...um, hidden: true }), lineOf(word("we", 1.6, 2))];
  expect(findFillers({ lines, language: "en" }, 0)).toEqual([]);
});

test("cuts nothing by times that are only spread over a line, except for a line of fillers", () => {
  const lines = [spread("So um we start", 1, 4), spread("Um… er", 5, 6), spread("now", 7, 8)];
  const found = findFillers({ lines, language: "en" }, 0);
  expect(found[0]!.startSeconds).toBeCloseTo(4.95, 3);
  expect(found.at(-1)!.endSeconds).toBeCloseTo(6.05, 3);
});

test("no other word is within 50 ms of a cut, and short words between two fillers stay", () => {
  const words = fc.array(
    fc.record({
      text: fc.constantFrom("um", "uh", "er", "Clipmill", "I"),
      pause: fc.integer({ min: -100, max: 400 }),
      length: fc.integer({ min: 1, max: 600 }),
    }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(words, (spoken) => {
      let at = 1_000;
      const all = spoken.map(({ text, pause, length }) => {
        at = Math.max(0, at + pause);
        const start = at;
        at += length;
        return word(text, start / 1_000, at / 1_000);
      });
      const found = find(...(all as [Word, ...Word[]]));
      for (const [i, { startSeconds, endSeconds }] of found.entries()) {
        const last = found[i - 1]?.endSeconds ?? -Infinity;
        expect(endSeconds).toBeGreaterThan(startSeconds);
        for (const other of all.filter(({ text }) => /Clipmill|I/.test(text))) {
          const isBefore = other.endSeconds <= startSeconds - 0.05 + 1e-6;
          const isAfter = other.startSeconds >= endSeconds + 0.05 - 1e-6;
          expect(isBefore || isAfter).toBe(true);
          const isBetween = isBefore && other.startSeconds > last;
          expect(isBetween && startSeconds - last < 0.2 - 1e-6).toBe(false);
        }
      }
    }),
  );
});
