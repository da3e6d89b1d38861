import { expect, test } from "vitest";
import { fillerTest } from "#contract/transcripts/fillers.ts";
import { testLines, textsOf } from "../test-lines.ts";
import { type Change, hideWords, joinLines, retypeWord, splitLine, toggleWord } from "./commands.ts";
import { applyPatches, type Lines } from "./patches.ts";

const LINES = testLines("we met at clip mill", "(um) in York maybe?");
const after = (change: Change | null, lines: Lines = LINES) => applyPatches(lines, change!.patches)!;

test("a word that becomes several shares its time by letters, and has no confidence", () => {
  const change = retypeWord(LINES, { line: 1, word: 3 }, " may bee ");
  const [, line] = after(change);
  expect(line!.words.slice(3)).toEqual([
    { text: "may ", startSeconds: 8, endSeconds: 8.343 },
    { text: "bee", startSeconds: 8.457, endSeconds: 8.8 },
  ]);
  expect(change!.place).toEqual({ line: 1, word: 4 });
  expect(retypeWord(LINES, { line: 1, word: 3 }, "maybe? ")).toBeNull();
});

test("a retyped word keeps its time, its space and whether it is hidden", () => {
  expect(after(retypeWord(LINES, { line: 1, word: 0 }, "uhm"))[1]!.words[0]).toEqual({
    ...{ text: "uhm ", startSeconds: 5, endSeconds: 5.8, hidden: true },
  });
});

test("a word without text is removed, and so is a line without words", () => {
  const one = testLines("hi", "there now");
  expect(textsOf(after(retypeWord(one, { line: 1, word: 1 }, " "), one))).toEqual(["hi", "there"]);
  const change = retypeWord(one, { line: 0, word: 0 }, "");
  expect(textsOf(after(change, one))).toEqual(["there now"]);
  expect(change!.place).toEqual({ line: 0, word: 0 });
});

test("a line is split before the word, and joined with the one above", () => {
  const split = splitLine(LINES, { line: 0, word: 3 });
  const lines = after(split);
  expect(textsOf(lines)).toEqual(["we met at", "clip mill", "(um) in York maybe?"]);
  expect(lines.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])).toEqual([
    [0, 2.8],
    [3, 4.8],
    [5, 8.8],
  ]);
  expect(split!.place).toEqual({ line: 1, word: 0 });
  const joined = joinLines(lines, { line: 1, word: 1 });
  expect(after(joined, lines)).toEqual(LINES);
  expect(joined!.place).toEqual({ line: 0, word: 4 });
  expect(splitLine(LINES, { line: 0, word: 0 })).toBeNull();
  expect(joinLines(LINES, { line: 0, word: 0 })).toBeNull();
});

test("moving a word before the line above moves its line, too", () => {
  const overlapping = [LINES[0]!, { ...LINES[1]!, startSeconds: 2 }];
  const split = splitLine(overlapping, { line: 0, word: 4 });
  expect(textsOf(after(split, overlapping))).toEqual(["we met at clip", "(um) in York maybe?", "mill"]);
  expect(split!.place).toEqual({ line: 2, word: 0 });
});

test("all fillers of the language are hidden together, whatever their case and punctuation", () => {
  const lines = testLines("Um, so er we", "erm. Er hat");
  const hide = (language: string | null) =>
    textsOf(after(hideWords(lines, fillerTest(language), true, { line: 0, word: 0 }), lines));
  expect(hide("en-GB")).toEqual(["(Um,) so (er) we", "(erm.) (Er) hat"]);
  expect(hideWords(lines, fillerTest("de"), true, { line: 0, word: 0 })).toBeNull();
  expect(textsOf(after(toggleWord(LINES, { line: 1, word: 0 })))).toEqual(["we met at clip mill", "um in York maybe?"]);
});
