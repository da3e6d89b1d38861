import { expect, it } from "vitest";
import { cleanCaptions } from "./check-captions.ts";

it.each([
  ["numbering", ["1. First", "2. Second"], ["First", "Second"]],
  ["numbering that goes on from an earlier response", ["6) Sixth", "7) Seventh"], ["Sixth", "Seventh"]],
  ["bullets and words for them", ["- One", "• Two", "Caption 3: Three", "#4 Four"], ["One", "Two", "Three", "Four"]],
  [
    "quotes of many scripts",
    ['"One"', "“Two”", "„Drei“", "«Quatre»", "'Five'"],
    ["One", "Two", "Drei", "Quatre", "Five"],
  ],
  ["numbering and quotes together", ['1. "One"', '2. "Two"'], ["One", "Two"]],
  ["line ends and double spaces", ["One\nline  only "], ["One line only"]],
  ["rare spaces and line ends", ["\uFEFFOne\u0085line\uFEFFonly\u0085"], ["One line only"]],
])("removes %s", (_, texts, cleaned) => {
  expect(cleanCaptions(texts)).toEqual(cleaned);
});

it.each([
  "7 days in Rome",
  "24. December is near",
  '"Wait" or "go"?',
  "Don't stop",
  "#teatime at 5",
  "3-2-1 go",
  "-40° outside",
])("leaves %s as it is", (caption) => {
  expect(cleanCaptions(["Another", caption])).toEqual(["Another", caption]);
});
