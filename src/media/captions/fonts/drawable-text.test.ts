import { expect, test } from "vitest";
import { SAMPLE_CAPTIONS } from "#tests/support/media/sample-captions.ts";
import { makeDrawable } from "./drawable-text.ts";
import { splitGraphemes } from "../graphemes.ts";

const countVisible = (characters: string[]) => characters.filter((grapheme) => grapheme.trim() !== "").length;
const fontsOf = (text: string) =>
  makeDrawable(text)
    .fonts.map(({ family }) => family.replace("Clipmill ", ""))
    .join(", ");

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

test.each([
  ["Wait for it… €5, naïve Łódź", "condensed"],
  ["Привет Việt Nam", "serif"],
  ["مرحبا Clipmill 2024", "rounded"],
  ["𝓗𝓮𝓵𝓵𝓸 → ✓", "rounded"],
  ["今日は 24", "condensed"],
] as const)("%s is drawn in %s, with other fonts for other scripts", (text, font) => {
  const drawable = makeDrawable(text, { font, weight: "bold" });
  expect(drawable).toMatchObject({ font, missing: [] });
  expect(drawable.fonts[0]!.family).toBe(`Clipmill Caption ${font} bold`);
});

test.each(["Ωραίο in Greek", "مرحبا بالعالم", "今日は", "🍓", "!?"])(
  "%s, for which it lacks letters, is in sans",
  (text) => {
    const drawable = makeDrawable(text, { font: "condensed", weight: "bold" });
    expect(drawable).toMatchObject({ font: "sans", fonts: makeDrawable(text).fonts });
  },
);

test("a lighter weight is that of all scripts", () => {
  const { fonts } = makeDrawable("Hi مرحبا 今日は", { font: "serif", weight: "medium" });
  const weights = fonts.map(({ path }) => /_(\d+)/.exec(path)![1]);
  expect(weights).toEqual(["500", "500", "500", "500", "400"]);
});

test("decorated letters become plain ones", () => {
  expect(makeDrawable("𝓗𝓮𝓵𝓵𝓸 𝗪𝗼𝗿𝗹𝗱").text).toBe("Hello World");
});

test("leaves out characters that no font has, with the space around them", () => {
  expect(makeDrawable("one ᚠᚢᚠ two \u{F0000}\u{10FFFF}").text).toBe("one two");
  expect(makeDrawable("ᚠᚢᚠ").text).toBe("");
});

test("lists each visible character that is left out once, and no invisible ones", () => {
  expect(makeDrawable("one ᚠᚢᚠ two \u{F0000}").missing).toEqual(["ᚠ", "ᚢ", "\u{F0000}"]);
  expect(makeDrawable("a\u0000b\u200Bc\u00ADd\uFE0E 𝓗 ꜰ f̶").missing).toEqual([]);
});

test.each([
  ["ꜰᴏʟʟᴏᴡ ᴍᴇ ꜰᴏʀ ᴇxᴛʀᴀ, ok", "FOLLOW ME FOR EXTRA, ok"],
  // No letter is missing.
  ["ʟʀ", "ʟʀ"],
  ["f̶o̶ m̲e̲", "fo me"],
  ["ᶂᶏᶇ", "fan"],
])("%s, which no font has whole, becomes %s", (text, plain) => {
  expect(makeDrawable(text)).toMatchObject({ text: plain, missing: [] });
});

test("removes control characters, makes spaces plain and keeps line breaks", () => {
  expect(makeDrawable("a\u0000b\u200B\tc\u00A0d \r\n e\u2028f").text).toBe("ab c d\ne\nf");
});

test("rare spaces and line breaks keep words apart", () => {
  expect(makeDrawable("one\uFEFFtwo\u0085three\vfour\u0085").text).toBe("one two\nthree\nfour");
  expect(makeDrawable("\u0085\uFEFFone").text).toBe("one");
});

test.each(SAMPLE_CAPTIONS)("$name: every character is drawn or listed as missing", ({ text, missing }) => {
  const drawable = makeDrawable(text);
  const named = new Set(splitGraphemes(missing));
  expect(drawable.missing).toEqual([...named]);
  const kept = splitGraphemes(text.normalize("NFC")).filter((grapheme) => !named.has(grapheme));
  // A one-by-one replacement loses nothing.
  expect(countVisible(splitGraphemes(drawable.text))).toBe(countVisible(kept));
});

test("there are 60 sample captions in at least 30 scripts", () => {
  const scripts =
    "Latin Greek Cyrillic Arabic Hebrew Devanagari Bengali Tamil Telugu Kannada Gujarati Gurmukhi Georgian Armenian Ethiopic Khmer Lao Myanmar Thai Han Hiragana Katakana Hangul Bopomofo Malayalam Sinhala Tibetan Cherokee Runic Canadian_Aboriginal".split(
      " ",
    );
  expect(SAMPLE_CAPTIONS).toHaveLength(60);
  const all = SAMPLE_CAPTIONS.map(({ text }) => text).join("");
  expect(scripts.filter((script) => !new RegExp(`\\p{sc=${script}}`, "u").test(all))).toEqual([]);
  expect(scripts.length).toBeGreaterThanOrEqual(30);
});
