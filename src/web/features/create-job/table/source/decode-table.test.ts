import { expect, test } from "vitest";
import { decodeTable } from "./decode-table.ts";

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

test("other files are refused with what to do", () => {
  expect(sentence(0x50, 0x4b, 0x03, 0x04, 0)).toEqual({ problem: expect.stringContaining("spreadsheet document") });
  // "größe" in Windows-1252.
  expect(sentence(0x67, 0x72, 0xf6, 0xdf, 0x65)).toEqual({ problem: expect.stringContaining("not in UTF-8") });
  expect(sentence(0x61, 0, 0x62)).toEqual({ problem: expect.stringContaining("not a table") });
  expect(sentence(0x89, 0x50, 0x4e, 0x47, 0)).toEqual({ problem: expect.stringContaining("not a table") });
});
