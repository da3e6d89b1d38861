import { expect, test } from "vitest";
import { highlightsOfLines, readHighlights } from "./read-highlights.ts";

const wordsOf = (caption: string) => {
  const { text, highlights } = readHighlights(caption);
  return [text, ...highlights.map(({ start, end }) => text.slice(start, end))];
};

test.each([
  ["Wait for the *pour*", ["Wait for the pour", "pour"]],
  ["*Two words*, then **one**!", ["Two words, then one!", "Two words", "one"]],
  ["un*believ*able", ["unbelievable", "believ"]],
  ["今日は*とても*いい", ["今日はとてもいい", "とても"]],
  ["*👍🏽 ok*", ["👍🏽 ok", "👍🏽 ok"]],
])("%j highlights what is between asterisks, without drawing them", (caption, expected) => {
  expect(wordsOf(caption)).toEqual(expected);
});

test.each(["5 * 3 * 2", "*open", "close*", "* spaced *", "**", "***", "a **b* c", "*one\ntwo*", "dial *️⃣1*", "2*3"])(
  "%j has no balanced asterisks and stays as it is",
  (caption) => {
    expect(readHighlights(caption)).toEqual({ text: caption, highlights: [] });
  },
);

test("highlights are found again on broken, hyphenated and cut lines", () => {
  const { text, highlights } = readHighlights("Wait for *the pour, then* see unbel*iev*able things");
  const lines = ["Wait for the", "pour, then", "see unbeliev-", "able…"];
  const parts = highlightsOfLines(text, highlights, lines);
  expect(parts.map((ranges, i) => ranges.map(({ start, end }) => lines[i]!.slice(start, end)))).toEqual([
    ["the"],
    ["pour, then"],
    ["iev"],
    [],
  ]);
});
