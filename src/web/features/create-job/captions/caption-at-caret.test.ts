import { expect, it } from "vitest";
import { captionAtCaret } from "./caption-at-caret.ts";

const TEXT = "First\n\n  \nSecond\nThird";

it.each([
  ["the first line", TEXT.indexOf("First"), 0],
  ["the end of the first line", "First".length, 0],
  ["a blank line", "First\n".length, 0],
  ["the start of a line", TEXT.indexOf("Second"), 1],
  ["the end of the text", TEXT.length, 2],
])("finds the caption at %s", (_, caret, index) => {
  expect(captionAtCaret(TEXT, caret)).toBe(index);
});

it("returns the first index without captions", () => {
  expect(captionAtCaret("", 0)).toBe(0);
});

it("counts a saved two-line caption as one", () => {
  const items = ["One\r\nof two lines", "Two"];
  const text = "One\nof two lines\nTwo";
  expect(captionAtCaret(text, text.indexOf("of"), items)).toBe(0);
  expect(captionAtCaret(text, text.indexOf("Two"), items)).toBe(1);
  expect(captionAtCaret(text, text.length, items)).toBe(1);
});
