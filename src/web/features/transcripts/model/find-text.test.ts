import { expect, test } from "vitest";
import { testLines, textsOf } from "../test-lines.ts";
import { findText, replaceText } from "./find-text.ts";
import { applyPatches } from "./patches.ts";

const LINES = testLines("Welcome to clip mill, the mill", "a Clip  Mill. Clip mills", "mill");
const ANY = { isCaseMatched: false, isWholeWord: true };

function replace(text: string, replacement: string, search = ANY) {
  const found = replaceText(LINES, { text, ...search }, replacement);
  return found && { texts: textsOf(applyPatches(LINES, found.patches)!), count: found.count };
}

test("text is found across words, and as whole words", () => {
  expect(findText(LINES, { text: " clip mill ", ...ANY })).toEqual([{ line: 0, from: 2, to: 4, start: 0, end: 9 }]);
  expect(findText(LINES, { text: "mill", ...ANY })).toHaveLength(4);
  expect(findText(LINES, { text: "mill", isCaseMatched: true, isWholeWord: false })).toHaveLength(4);
  expect(findText(LINES, { text: " ", ...ANY })).toEqual([]);
  expect(findText(LINES, { text: "(", ...ANY })).toEqual([]);
});

test("matches are replaced with their time and punctuation", () => {
  expect(replace("clip mill", "Clipmill")).toEqual({
    texts: ["Welcome to Clipmill, the mill", "a Clip  Mill. Clip mills", "mill"],
    count: 1,
  });
  const { patches } = replaceText(LINES, { text: "clip mill", ...ANY }, "Clipmill")!;
  expect(patches[0]!.inserted[0]!.words[2]).toEqual({ text: "Clipmill, ", startSeconds: 2, endSeconds: 3.8 });
});

test("an empty replacement removes words, and lines without any", () => {
  expect(replace("mill", "")).toEqual({ texts: ["Welcome to clip , the", "a Clip  . Clip mills"], count: 4 });
  expect(replace("Mill", "Mill", { isCaseMatched: true, isWholeWord: true })).toBeNull();
  expect(replace("nowhere", "x")).toBeNull();
});
