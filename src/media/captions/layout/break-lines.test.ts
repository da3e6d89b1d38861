import { expect, test } from "vitest";
import { breakLines, readParagraphs, shorten, widestPiece } from "./break-lines.ts";
import { splitGraphemes } from "../graphemes.ts";

const count = (text: string) => splitGraphemes(text).length;

function linesOf(text: string, maxWidth: number): string[] {
  return breakLines(readParagraphs(text), maxWidth, count, 10).map((line) => line.text);
}

test("breaks between words", () => {
  expect(linesOf("Wait for the pour at the end", 12)).toEqual(["Wait for the", "pour at the", "end"]);
});

test("keeps punctuation with its word", () => {
  expect(linesOf("Hello, (dear) world!", 7)).toEqual(["Hello,", "(dear)", "world!"]);
});

test("keeps typed line breaks", () => {
  expect(linesOf("One\nTwo\n\nThree", 20)).toEqual(["One", "Two", "Three"]);
});

test("breaks Japanese without spaces, and never before its full stop", () => {
  const lines = linesOf("今日はとても天気がいいので散歩に行きました。", 8);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join("")).toBe("今日はとても天気がいいので散歩に行きました。");
  for (const line of lines) {
    expect(count(line)).toBeLessThanOrEqual(8);
    expect(line.startsWith("。")).toBe(false);
  }
});

test("splits a word wider than the line after a syllable, with a hyphen, and keeps emoji whole", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(linesOf("antidisestablishment", 10)).toEqual(["antidise-", "stablish-", "ment"]);
  expect(widestPiece(readParagraphs("a much longer word"), count)).toBe(6);
  expect(linesOf(family.repeat(5), 2)).toEqual([family.repeat(2), family.repeat(2), family]);
});

test("keeps a Japanese stem and its ending together", () => {
  expect(linesOf("今日はとても天気がいいので散歩に行きました。", 9)).toEqual([
    "今日はとても",
    "天気がいいので",
    "散歩に行きました。",
  ]);
});

test("breaks Thai between words", () => {
  expect(linesOf("สวัสดีชาวโลก", 6)).toEqual(["สวัสดี", "ชาวโลก"]);
});

test("breaks Korean only at spaces", () => {
  expect(linesOf("오늘 날씨가 정말 좋아요", 6)).toEqual(["오늘 날씨가", "정말 좋아요"]);
});

test("breaks a row of emoji without spaces", () => {
  expect(linesOf("Yes😀😀😀😀", 5)).toEqual(["Yes😀😀", "😀😀"]);
});

test("gives every line the direction of its paragraph's first letter", () => {
  const lines = breakLines(readParagraphs("123 مرحبا Clipmill\nHello שלום"), 12, count, 10);
  expect(lines).toEqual([
    { text: "123 مرحبا", isRightToLeft: true },
    { text: "Clipmill", isRightToLeft: true },
    { text: "Hello שלום", isRightToLeft: false },
  ]);
});

const directionOf = (text: string, language: string | null) => readParagraphs(text, language)[0]!.isRightToLeft;

test("sets right-to-left direction for a text in such a language, whatever it starts with", () => {
  expect(directionOf("Clipmill قال مرحبا", null)).toBe(false);
  expect(directionOf("Clipmill قال مرحبا", "ar")).toBe(true);
  expect(directionOf("Clipmill שלום", "he")).toBe(true);
  expect(directionOf("Clipmill", "ar")).toBe(false);
  expect(directionOf("שלום Clipmill", "de")).toBe(true);
});

test("stops one line after the maximum", () => {
  expect(breakLines(readParagraphs("word ".repeat(400)), 5, count, 4)).toHaveLength(5);
});

test("shortens with an ellipsis within the width", () => {
  expect(shorten("Three sips in", 10, count)).toBe("Three sip…");
});

test.each([
  ["今日は「散歩」に行って", 6, ["今日は", "「散歩」に", "行って"]],
  ["スマートフォンで撮影した", 9, ["スマートフォンで", "撮影した"]],
  ["天気予報によると明日は", 8, ["天気予報によると", "明日は"]],
  ["2024年的第3个月我们去了", 7, ["2024年的", "第3个月我们", "去了"]],
  ["今天很好，我们去公园吧！", 7, ["今天很好，我们", "去公园吧！"]],
  ["これは最高です😀", 7, ["これは", "最高です😀"]],
  ["🔥 what a great day 😀", 9, ["🔥 what a", "great", "day 😀"]],
  ["wow 🔥🔥🔥🔥🔥", 6, ["wow 🔥🔥", "🔥🔥🔥"]],
  ["အဆုံးထိ ကြည့်ပါ", 6, ["အဆုံးထိ", "ကြည့်ပါ"]],
])("breaks %s where readers expect, and leaves no emoji alone", (text, width, lines) => {
  expect(linesOf(text, width)).toEqual(lines);
});

test.each([
  ["Donaudampfschifffahrt", 12, ["Donaudampf-", "schifffahrt"]],
  ["достопримечательность", 12, ["достоприме-", "чательность"]],
  // A hyphen would be read as part of the address.
  ["https://clipmill.example/averylongpath", 12, ["https://", "clipmill.exa", "mple/", "averylongpat", "h"]],
  ["@averylongnameofsomebody", 12, ["@averylongna", "meofsomebody"]],
])("parts %s with a hyphen only where that is no part of it", (text, width, lines) => {
  expect(linesOf(text, width)).toEqual(lines);
});
