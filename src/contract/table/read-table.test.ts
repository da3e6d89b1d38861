import * as fc from "fast-check";
import { stringify } from "csv-stringify/browser/esm/sync";
import { describe, expect, test } from "vitest";
import { protectCell, restoreCell } from "./cell-protection.ts";
import { decodeTable } from "./decode-table.ts";
import { readTable } from "./read-table.ts";

const cell = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll("\0", "")),
  fc.constantFrom(
    "=1+1",
    "'=x",
    "''@y",
    "+3",
    "-4",
    "\tz",
    '5" screen',
    "a,b;c\td",
    "two\nlines",
    "one\rtwo",
    "שלום, עולם",
    "😀",
    " x ",
    " =1",
    "＝1",
    "'\u00A0＠x",
  ),
);
const name = fc
  .string({ unit: fc.constantFrom("a", "b", " ", "X", "_", "2", "é", "😀"), minLength: 1, maxLength: 8 })
  .map((text) => `c${text}c`);
const tables = fc.uniqueArray(name, { minLength: 2, maxLength: 6 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    records: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 8 }),
  }),
);

test("reads back what was written, with every delimiter and line end", () => {
  fc.assert(
    fc.property(
      tables,
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      ({ columns, records }, delimiter, record_delimiter, bom) => {
        const lines = [columns, ...records].map((record) => record.map(protectCell));
        const text = stringify(lines, { delimiter, record_delimiter, bom, quoted_match: /[\r\n]/ });
        const end = records.findLastIndex((record) => record.some((value) => value.trim() !== "")) + 1;
        const table = readTable(text);
        expect(table).toEqual({
          columns,
          records: records.slice(0, end).map((r) => r.map((c) => c.toWellFormed())),
          problems: [],
        });
      },
    ),
  );
});

test("removes exactly the apostrophe that protects a formula", () => {
  fc.assert(fc.property(cell, (text) => restoreCell(protectCell(text)) === text));
  expect(["=1", "'=1", "it's", "'quoted'", "-"].map(protectCell)).toEqual(["'=1", "''=1", "it's", "'quoted'", "'-"]);
});

test.each([
  "＝1+1",
  "＋1",
  "－1",
  "＠x",
  "﹦1",
  " =1",
  "\u00A0+1",
  "\u3000＝1",
  "\n=1",
  "\u200B@x",
  "\u0001-1",
  "\uFEFF =1",
])("protects %j, which a spreadsheet may run", (cell) => {
  expect(protectCell(cell)).toBe(`'${cell}`);
  expect(restoreCell(`'${cell}`)).toBe(cell);
  expect(
    readTable(
      stringify([
        ["link", "note"],
        ["x", protectCell(cell)],
      ]),
    ).records[0]?.[1],
  ).toBe(cell);
});

function read(text: string) {
  const { columns, records, problems } = readTable(text);
  return { columns, records, messages: problems.map(({ row, column, message }) => `${row} ${column}: ${message}`) };
}

describe("text as people have it", () => {
  test("keeps the numbers of rows: empty ones among others stay, those at the end go", () => {
    expect(read("\n\na,b\r\n1,2\n\n3\n,,\n\n")).toEqual({
      columns: ["a", "b"],
      records: [
        ["1", "2"],
        ["", ""],
        ["3", ""],
      ],
      messages: [],
    });
  });

  test("gives every column a name of its own, and drops those without anything", () => {
    expect(read("a,,a,,a (2)\n1,2,3,,4,5").columns).toEqual(["a", "Column 2", "a (3)", "a (2)", "Column 6"]);
  });

  test("keeps quotation marks that do not enclose a cell", () => {
    expect(read('a\tb\n5" screen\t"No" she said').records).toEqual([['5" screen', '"No" she said']]);
  });

  test("names the cell whose quotation mark is not closed, and keeps the rows above", () => {
    const { records, messages } = read('a,b\n1,2\n3,"4\n5,6\n');
    expect(records).toEqual([["1", "2"]]);
    expect(messages).toEqual([expect.stringMatching(/^2 b: This cell starts with a quotation mark/)]);
  });

  test("takes links without a header for rows", () => {
    const link = "https://drive.google.com/file/d/a/view";
    expect(read(`${link}\tHello\n${link}\t`)).toMatchObject({
      columns: ["link", "Column 2"],
      records: [
        [link, "Hello"],
        [link, ""],
      ],
    });
    expect(read("drive.google.com/file/d/a/view").columns).toEqual(["link"]);
  });

  test("finds the delimiter in the header, outside of quotation marks, or in Excel's first line", () => {
    expect(read('"a,b,c";d\n1,5;2').records).toEqual([["1,5", "2"]]);
    expect(read("sep=;\r\na,b;c\n1;2").columns).toEqual(["a,b", "c"]);
    expect(read("SEP=;\r\na,b;c\n1;2").columns).toEqual(["a,b", "c"]);
    expect(read('"sep=;"\r\na,b;c\n1;2').columns).toEqual(["a,b", "c"]);
    expect(read("\uFEFFsep=|\na;b;c|d\n1|2").columns).toEqual(["a;b;c", "d"]);
    expect(read("a|b\n1|2,5").records).toEqual([["1", "2,5"]]);
    expect(read("link\na,b").columns).toEqual(["link", "Column 2"]);
  });

  test.each([
    ["", "The table is empty."],
    [" \n,\n", "The table is empty."],
    ['"a\nb', "This cell starts with a quotation mark that is never closed"],
    ["l\0i\0n\0k\0", "This table is not in UTF-8."],
    [`a\n${"1\n".repeat(50_001)}`, "The table has more than 50,000 rows."],
    [`a${",a".repeat(200)}\n`, "The table has more than 200 columns."],
    ["a".repeat(8 * 1024 ** 2 + 1), "The table is larger than 8 MB."],
  ])("rejects a text with one sentence (%#)", (text, sentence) => {
    expect(read(text)).toEqual({ columns: [], records: [], messages: [expect.stringContaining(`0 : ${sentence}`)] });
  });

  test("decodes files of Excel", () => {
    const text = "name,café\n1,2";
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const [bytes, encoding] of [
      [Buffer.from(text), null],
      [Buffer.from(text, "latin1"), "windows-1252"],
      [utf16, null],
    ] as const) {
      const decoded = decodeTable(bytes, encoding);
      expect("text" in decoded && readTable(decoded.text).columns).toEqual(["name", "café"]);
    }
  });
});
