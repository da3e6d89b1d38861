import { expect, test } from "vitest";
import { findMissing } from "./drawable-text.ts";

test("lists the first thousand missing characters of half of Unicode", () => {
  const texts: string[] = [];
  for (let first = 0x80; first < 0x30000; first += 1_000)
    texts.push(String.fromCodePoint(...Array.from({ length: 1_000 }, (_, i) => first + i)));
  const missing = findMissing(texts);
  expect(missing?.characters).toHaveLength(1_000);
  expect(missing?.texts).toBeGreaterThan(100);
});

test("private characters are missing even if a font has them, and joiners are not", () => {
  expect(findMissing(["\u{E000}a"])).toEqual({ characters: ["\u{E000}"], texts: 1, first: 0 });
  expect(findMissing(["👩‍🚀 né\u200Fa"])).toBeNull();
});
