import { expect, test } from "vitest";
import { breakLines, hasTooWideWord, shorten } from "./break-lines.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Every character one wide. */
const count = (text: string) => [...graphemes.segment(text)].length;

test("breaks between words", () => {
  expect(breakLines("Wait for the pour at the end", 12, count)).toEqual(["Wait for the", "pour at the", "end"]);
});

test("keeps punctuation with its word", () => {
  expect(breakLines("Hello, (dear) world!", 7, count)).toEqual(["Hello,", "(dear)", "world!"]);
});

test("keeps line breaks that were typed", () => {
  expect(breakLines("One\nTwo\r\n\nThree", 20, count)).toEqual(["One", "Two", "Three"]);
});

test("breaks Japanese without spaces, and never before its full stop", () => {
  const lines = breakLines("今日はとても天気がいいので散歩に行きました。", 8, count);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join("")).toBe("今日はとても天気がいいので散歩に行きました。");
  for (const line of lines) {
    expect(count(line)).toBeLessThanOrEqual(8);
    expect(line.startsWith("。")).toBe(false);
  }
});

test("breaks a word wider than the line between graphemes, leaving emoji whole", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(hasTooWideWord("antidisestablishmentarianism", 10, count)).toBe(true);
  expect(breakLines(family.repeat(5), 2, count)).toEqual([family.repeat(2), family.repeat(2), family]);
});

test("shortens with an ellipsis inside the width", () => {
  expect(shorten("Three sips in", 10, count)).toBe("Three sip…");
});
