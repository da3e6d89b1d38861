import { expect, test } from "vitest";
import { hasLettersWithoutFont } from "#contract/caption-scripts.ts";
import { makeDrawable } from "./drawable-text.ts";

const fontsOf = (text: string) => makeDrawable(text).families.replaceAll('"Clipmill ', "").replaceAll('"', "");

test.each([
  ["Wait for it… “yes” → €5, naïve Ωραίο Привет Việt Nam", "Caption, Emoji"],
  ["مرحبا بالعالم، ٢٠٢٤ می‌خواهم", "Caption, Arabic, Emoji"],
  ["שָׁלוֹם עולם", "Caption, Hebrew, Emoji"],
  ["आज मौसम अच्छा है। क्षत्रिय", "Caption, Devanagari, Emoji"],
  ["วันนี้อากาศดีมาก", "Caption, Thai, Emoji"],
  ["今日は「散歩」！", "Caption, JP, Emoji"],
  ["오늘 날씨가 大好", "Caption, KR, Emoji"],
  ["今天天气很好，我们去散步吧！", "Caption, SC, Emoji"],
  ["Hi 😀👨‍👩‍👧‍👦🇩🇪👍🏽❤️1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿", "Caption, Emoji"],
  ["שלום مرحبا สวัสดี", "Caption, Arabic, Hebrew, Thai, Emoji"],
])("%s is drawn whole, with %s", (text, families) => {
  expect(makeDrawable(text).text).toBe(text.normalize("NFC"));
  expect(fontsOf(text)).toBe(families);
});

test("decorated letters become plain ones", () => {
  expect(makeDrawable("𝓗𝓮𝓵𝓵𝓸 𝗪𝗼𝗿𝗹𝗱").text).toBe("Hello World");
});

test("what no font has is left out, with the space around it", () => {
  expect(makeDrawable("one বাংলা two \u{F0000}\u{10FFFF}").text).toBe("one two");
  expect(makeDrawable("বাংলা").text).toBe("");
});

test("a text of more than 500 graphemes ends in an ellipsis, one of 500 is whole", () => {
  expect(makeDrawable("👍🏽".repeat(500)).text).toBe("👍🏽".repeat(500));
  expect(makeDrawable("👍🏽".repeat(501)).text).toBe(`${"👍🏽".repeat(500)}…`);
});

test("control characters go, spaces become plain, line breaks stay", () => {
  expect(makeDrawable("a\u0000b\u200B\tc\u00A0d \r\n e\u2028f").text).toBe("ab c d\ne\nf");
});

test("what the rules of captions say has a font is drawn, and what they say has none is not", () => {
  const samples = [
    "aß",
    "Ωά",
    "жЇ",
    "مپ",
    "שש",
    "अक",
    "กข",
    "我們",
    "ひカ",
    "한글",
    "ㄅ",
    "বাং",
    "தமி",
    "ქარ",
    "Հայ",
    "አማ",
    "ខ្មែរ",
  ];
  for (const sample of samples) {
    expect([sample, makeDrawable(sample).text === sample]).toEqual([sample, !hasLettersWithoutFont(sample)]);
  }
});
