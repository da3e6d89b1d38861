import { expect, test } from "vitest";
import { makeDrawable } from "./drawable-text.ts";
import { drawsLanguage } from "./draws-language.ts";

test.each([
  "de",
  "vi",
  "el",
  "ru",
  "ar",
  "fa",
  "ur",
  "he",
  "hi",
  "th",
  "bn",
  "ja",
  "ko",
  "zh-Hans",
  "zh-Hant",
  "zh-TW",
  "ka",
  "hy",
])("%s is drawn", (tag) => {
  expect(drawsLanguage(tag)).toBe(true);
});

test.each(["bo", "chr", "ml", "si", "sr-Glag", "qaa", "de-Zxxx"])("%s is not drawn", (tag) => {
  expect(drawsLanguage(tag)).toBe(false);
});

test.each([
  ["最高的海", null, "SC"],
  ["最高の海", null, "JP"],
  ["最高", "ja", "JP"],
  ["最高", "ko", "KR"],
  ["最高", "zh-Hant", "SC"],
  ["最高", "de", "SC"],
  ["海の最高", "zh-Hans", "SC"],
])("Han characters of %s in %s have the glyphs of %s", (text, language, families) => {
  const { fonts, missing } = makeDrawable(text, { font: "sans", weight: "bold", language });
  const scripts = fonts.map(({ family }) => family.replace("Clipmill ", ""));
  expect(scripts.filter((family) => !["Caption", "Emoji"].includes(family)).join(", ")).toBe(families);
  expect(missing).toEqual([]);
});
