import { expect, test } from "vitest";
import { decodeBytes } from "#contract/table/encoding/decode-bytes.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import { guessEncoding } from "./guess-encoding.ts";

/** Encodes by trying all bytes and pairs. */
function encode(text: string, encoding: TableEncoding): Uint8Array {
  const bytes = new Map<string, number[]>();
  for (let lead = 0xff; lead >= 0; lead--) {
    for (let trail = 0x40; trail <= 0xff; trail++) {
      const pair = lead < 0x80 ? null : decodeBytes(new Uint8Array([lead, trail]), encoding);
      if (pair?.length === 1) bytes.set(pair, [lead, trail]);
    }
    const single = decodeBytes(new Uint8Array([lead]), encoding);
    if (single) bytes.set(single, [lead]);
  }
  return new Uint8Array(Array.from(text, (character) => bytes.get(character)!).flat());
}

test.each([
  ["link;caption\na;Привет, как дела?", "windows-1251", []],
  ["link,caption\na,テスト試験 Tシャツ", "shift_jis", []],
  ["link,caption\na,한국어 자막", "euc-kr", []],
  ["link,caption\na,中文标题测试", "gb18030", ["zh-CN"]],
  ["link,caption\na,中文標題測試", "big5", ["zh-TW"]],
  ["link;caption\na;Größe, Qualität und Spaß", "windows-1252", []],
  ["link;caption\na;Été à la plage, déjà vu", "windows-1252", []],
  ["link;caption\na;Καλημέρα κόσμε", "windows-1253", ["en-US", "el"]],
  ["link;caption\na;Łódź, żółty kot", "windows-1250", ["pl-PL"]],
  ["link;caption\na;Привет", "windows-1251", ["ja"]],
] as const)("guesses the encoding of %j", (text, encoding, languages) => {
  expect(guessEncoding(encode(text, encoding), languages)).toBe(encoding);
});
