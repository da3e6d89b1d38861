import * as fc from "fast-check";
import { expect, it } from "vitest";
import { linesIn, translateLine } from "./translate-lines.ts";
import { type SpokenLine, textOf } from "./transcript.ts";

/** Words of 0.4 s, each followed by a pause of 0.6 s. */
function lineOf(text: string, from = 0): SpokenLine {
  const words = text.split(" ").map((word, i, all) => {
    const startSeconds = from + i;
    return { text: i < all.length - 1 ? `${word} ` : word, startSeconds, endSeconds: startSeconds + 0.4 };
  });
  return { startSeconds: from, endSeconds: words.at(-1)!.endSeconds, words };
}

const timesOf = ({ words }: SpokenLine) =>
  words.map(({ text, startSeconds, endSeconds }) => [text, startSeconds, endSeconds]);

it("a translated word is shown while the word at the same place is spoken", () => {
  expect(timesOf(translateLine(lineOf("aaa bbb ccc ddd"), "xxxx yyyy zzzz"))).toEqual([
    ["xxxx ", 0, 0.4],
    ["yyyy ", 1.171, 1.4],
    ["zzzz", 2.343, 2.4],
  ]);
});

it("a longer translation has several words during one", () => {
  expect(timesOf(translateLine(lineOf("one two"), "abc def ghi klm"))).toEqual([
    ["abc ", 0, 0.16],
    ["def ", 0.213, 0.373],
    ["ghi ", 1.027, 1.187],
    ["klm", 1.24, 1.4],
  ]);
});

it.each([
  ["ja", "今日は天気がいいので散歩に行きます"],
  ["th", "วันนี้อากาศดีมากเราจะไปเดินเล่น"],
  ["ar", "مرحبا بكم في مطبخنا اليوم"],
  ["two rows", "Guten Abend\nliebe Leute"],
])("spreads a translation with its own words and rows: %s", (_, text) => {
  const line = translateLine(lineOf("welcome to our kitchen"), text);
  expect(textOf(line.words)).toBe(text);
  expect(line.words.length).toBeGreaterThan(1);
  expect([line.startSeconds, line.endSeconds]).toEqual([0, 3.4]);
});

it("keeps every word in order, and in the middle of a spoken one", () => {
  const text = fc
    .array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 12 })
    .map((all) => all.join(" "));
  fc.assert(
    fc.property(text, text, (original, translation) => {
      const line = lineOf(original, 3);
      const { words } = translateLine(line, translation);
      expect(textOf(words)).toBe(translation);
      for (const [i, { startSeconds, endSeconds }] of words.entries()) {
        const middle = (startSeconds + endSeconds) / 2;
        expect(line.words.some((word) => word.startSeconds <= middle && middle <= word.endSeconds)).toBe(true);
        expect(startSeconds).toBeGreaterThanOrEqual(words[i - 1]?.startSeconds ?? line.startSeconds);
      }
    }),
  );
});

it("leaves out lines and words that no window shows", () => {
  const lines = [lineOf("um so it begins"), lineOf("never shown", 10), lineOf("the end", 20)];
  const windows = [
    { startSeconds: 19, endSeconds: 30 },
    { startSeconds: 0.9, endSeconds: 2.5 },
    { startSeconds: 2, endSeconds: 5 },
  ];
  const found = linesIn(lines, windows);
  expect(found.map((line) => line && textOf(line.words))).toEqual(["so it begins", null, "the end"]);
  // A whole line stays itself.
  expect(found[2]).toBe(lines[2]);
  expect(linesIn(lines, [])).toEqual([null, null, null]);
});
