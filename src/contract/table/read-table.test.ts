import { expect, test } from "vitest";
import { SPECIFIED_SOURCES } from "../sources/accepted-sources.ts";
import { mapColumns } from "./map-columns.ts";
import { readRows } from "./read-rows.ts";
import { readTable } from "./read-table.ts";

const LINK = "https://drive.google.com/file/d/abc/view";

test("reads rows from a table", () => {
  const table = readTable(`\uFEFFLink;Caption;caption 2;Start at;sku\r\n${LINK};"Hi; you";there;0:07,5;17\r\n`);
  const mapping = mapColumns(table.columns);
  expect(readRows(table, mapping, { accepted: SPECIFIED_SOURCES })).toEqual({
    rows: [
      { link: LINK, settings: { custom_captions: ["Hi; you", "there"], start_seconds: 7.5 }, pass: { sku: "17" } },
    ],
    numbers: [1],
    problems: [],
  });
});
