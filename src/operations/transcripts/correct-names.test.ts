import { expect, test } from "vitest";
import { correctNames } from "./correct-names.ts";

const NAMES = [
  { from: "clip mill", to: "Clipmill" },
  { from: "nyc", to: "New York" },
  { to: "McKinley" },
  { from: "Anna Liese", to: "Anneliese Ö." },
];

function correct(text: string): string {
  const words = text.split(/(?<= )/u).map((word, i) => ({ text: word, startSeconds: i, endSeconds: i + 1 }));
  const [line] = correctNames([{ startSeconds: 0, endSeconds: words.length, words }], NAMES);
  return line!.words.map((word) => `${word.text.trim()}@${word.startSeconds}`).join(" ");
}

test.each([
  ["We use Clip Mill. ", "We@0 use@1 Clipmill.@2"],
  ["«clip-mill», clip mill's", "«clip-mill»,@0 Clipmill's@1"],
  ["in NYC, now", "in@0 New@1 York,@1.444 now@2"],
  ["mckinley and MCKINLEY", "McKinley@0 and@1 McKinley@2"],
  ["a clip, mill", "a@0 clip,@1 mill@2"],
  ["nycx eclip mill", "nycx@0 eclip@1 mill@2"],
  ["anna liese (anna) liese", "Anneliese@0 Ö.@1 (anna)@2 liese@3"],
])("names in %j are written as in the dictionary", (text, corrected) => {
  expect(correct(text)).toBe(corrected);
});
