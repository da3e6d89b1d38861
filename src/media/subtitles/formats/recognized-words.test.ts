import { expect, test } from "vitest";
import { withPunctuation } from "./recognized-words.ts";

const words = (...texts: string[]) => texts.map((word, i) => ({ word, start: i, end: i + 1 }));
const texts = (listed: readonly { word: string }[]) => listed.map(({ word }) => word).join("|");

test.each([
  [["Hello", "world", "It", "s", "me"], "Hello, world! (It's me.)", " Hello,| world!| (It'|s| me.)"],
  [["Hello", "there"], "hello there", " hello| there"],
  [[" Well", " then"], " Well... then?", " Well...| then?"],
  [["今日", "は", "晴れ"], "今日は、晴れ。", " 今日|は、|晴れ。"],
  [["one", "missing", "two"], "One two.", " One| missing| two."],
  [["all", "lost"], "", " all| lost"],
])("words %j get the punctuation of the text %j", (listed, text, expected) => {
  expect(texts(withPunctuation(words(...listed), text))).toBe(expected);
});
