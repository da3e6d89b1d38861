import { expect, test } from "vitest";
import { decodeTable } from "./decode-table.ts";
import { encodingNamed } from "./encoding/table-encodings.ts";

const sentence = (...bytes: number[]) => decodeTable(new Uint8Array(bytes));
const utf16 = (text: string, isBig: boolean) => {
  const marked = `\uFEFF${text}`;
  const view = new DataView(new ArrayBuffer(marked.length * 2));
  for (let index = 0; index < marked.length; index++) view.setUint16(index * 2, marked.charCodeAt(index), !isBig);
  return new Uint8Array(view.buffer);
};

test("UTF-8 with and without a byte order mark and UTF-16 with one are read", () => {
  expect(decodeTable(new TextEncoder().encode("link,caption\na,Größe 😀"))).toEqual({
    text: "link,caption\na,Größe 😀",
  });
  expect(decodeTable(new TextEncoder().encode("\uFEFFlink"))).toEqual({ text: "link" });
  expect(decodeTable(utf16("link\tשלום", false))).toEqual({ text: "link\tשלום" });
  expect(decodeTable(utf16("link\tשלום", true))).toEqual({ text: "link\tשלום" });
});

test("other files are rejected with what to do", () => {
  expect(sentence(0x50, 0x4b, 0x03, 0x04, 0)).toEqual({ problem: expect.stringContaining("spreadsheet document") });
  // "größe" in Windows-1252.
  expect(sentence(0x67, 0x72, 0xf6, 0xdf, 0x65)).toEqual({
    problem: expect.stringContaining("not in UTF-8"),
    isUnknown: true,
  });
  expect(sentence(0x61, 0, 0x62)).toEqual({ problem: expect.stringContaining("not a table") });
  expect(sentence(0x89, 0x50, 0x4e, 0x47, 0)).toEqual({ problem: expect.stringContaining("not a table") });
});

/** As Excel saves it with Russian and Japanese as the system's language. */
const RUSSIAN = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
const JAPANESE = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x8e, 0x8e, 0x8c, 0xb1];

test("a table in another encoding is read only when its encoding is named", () => {
  const tables = [
    ["windows-1251", RUSSIAN, "Привет"],
    ["shift_jis", JAPANESE, "テスト試験"],
    ["koi8-r", [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], "Привет"],
    ["gb18030", [0xd6, 0xd0, 0xce, 0xc4], "中文"],
    ["big5", [0xb4, 0xfa, 0xb8, 0xd5], "測試"],
    // The second syllable is one of Windows-949's additions.
    ["euc-kr", [0xb6, 0xca, 0x8c, 0x63], "똘똠"],
    ["macintosh", [0x63, 0x61, 0x66, 0x8e], "café"],
  ] as const;
  for (const [encoding, bytes, text] of tables) {
    const table = new Uint8Array([...Buffer.from("link;caption\r\na;"), ...bytes]);
    expect(decodeTable(table)).toMatchObject({ isUnknown: true });
    expect(decodeTable(table, encoding)).toEqual({ text: `link;caption\r\na;${text}` });
  }
});

test("a named encoding is rejected if the bytes do not fit it, and a mark takes precedence over it", () => {
  expect(decodeTable(new Uint8Array(RUSSIAN), "shift_jis")).toEqual({
    problem: "This file is not in shift_jis. Choose another encoding.",
    isUnknown: true,
  });
  // 0x81 and 0x98 are not assigned.
  expect(decodeTable(new Uint8Array([0x81]), "windows-1252")).toMatchObject({ isUnknown: true });
  expect(decodeTable(new Uint8Array([0x98]), "windows-1251")).toMatchObject({ isUnknown: true });
  expect(decodeTable(utf16("Привет", false), "windows-1252")).toEqual({ text: "Привет" });
  const marked = decodeTable(new Uint8Array([0xef, 0xbb, 0xbf, ...RUSSIAN]), "windows-1251");
  expect(marked).toEqual({ problem: expect.stringContaining("starts with the mark of utf-8") });
});

test("encodings are named as programs name them", () => {
  const names = ["CP1251", " windows-1251 ", "cp932", "sjis", "windows-31j", "gbk", "cp949", "big5-hkscs", "latin1"];
  expect(names.map(encodingNamed)).toEqual([
    ...["windows-1251", "windows-1251", "shift_jis", "shift_jis", "shift_jis"],
    ...["gb18030", "euc-kr", "big5", "windows-1252"],
  ]);
  expect(["", "klingon", "iso-2022-jp", "x-user-defined"].map(encodingNamed)).toEqual([null, null, null, null]);
});
