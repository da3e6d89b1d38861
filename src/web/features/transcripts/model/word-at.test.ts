import { expect, test } from "vitest";
import { testLines } from "../test-lines.ts";
import { stepLine, stepWord, wordAt } from "./word-at.ts";

const LINES = testLines("one two three", "four", "five six");

test("the word that is spoken is found, and none in a pause", () => {
  expect(wordAt(LINES, 1.5)).toEqual({ line: 0, word: 1 });
  expect(wordAt(LINES, 1.95)).toEqual({ line: 0, word: 1 });
  expect(wordAt(LINES, 3)).toEqual({ line: 1, word: 0 });
  expect(wordAt(LINES, 5.9)).toEqual({ line: 2, word: 1 });
  expect(wordAt(LINES, 6.2)).toBeNull();
  expect(wordAt(LINES, -1)).toBeNull();
  expect(wordAt([], 1)).toBeNull();
});

test("arrows move across line ends, and stop at the ends of the text", () => {
  expect(stepWord(LINES, { line: 0, word: 2 }, 1)).toEqual({ line: 1, word: 0 });
  expect(stepWord(LINES, { line: 1, word: 0 }, -1)).toEqual({ line: 0, word: 2 });
  expect(stepWord(LINES, { line: 2, word: 1 }, 1)).toEqual({ line: 2, word: 1 });
  expect(stepLine(LINES, { line: 2, word: 1 }, -1)).toEqual({ line: 1, word: 0 });
  expect(stepLine(LINES, { line: 0, word: 2 }, -1)).toEqual({ line: 0, word: 2 });
});
