import { expect, it } from "vitest";
import { lastLines } from "./last-lines.ts";

it.each([
  ["one\ntwo", 10, "one\ntwo"],
  ["one\ntwo\nthree", 9, "two\nthree"],
  ["one\ntwo\nthree", 8, "three"],
  ["one\ntwo\nthree\n", 6, "three\n"],
  ["one\nhttps://host", 5, "https"],
  ["https://host", 5, "https"],
])("keeps the last complete lines of %j within %i characters", (text, most, kept) => {
  expect(lastLines(text, most)).toBe(kept);
});
