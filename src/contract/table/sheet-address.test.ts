import { expect, test } from "vitest";
import { sheetAddress } from "./sheet-address.ts";

const SHEETS = "https://docs.google.com/spreadsheets";

test.each([
  [`${SHEETS}/d/1aB-c_D/edit?gid=42#gid=42`, `${SHEETS}/d/1aB-c_D/export?format=csv&gid=42`],
  [`${SHEETS}/d/1aB-c_D/edit#gid=7`, `${SHEETS}/d/1aB-c_D/export?format=csv&gid=7`],
  [`${SHEETS}/u/1/d/1aB-c_D/edit?usp=sharing`, `${SHEETS}/d/1aB-c_D/export?format=csv`],
  [`${SHEETS}/d/e/2PACX-x/pubhtml?gid=3`, `${SHEETS}/d/e/2PACX-x/pub?output=csv&gid=3&single=true`],
  [`${SHEETS}/d/e/2PACX-x/pub?output=tsv`, `${SHEETS}/d/e/2PACX-x/pub?output=csv&single=true`],
  ["https://example.com/spreadsheets/d/1/edit", "https://example.com/spreadsheets/d/1/edit"],
])("reads %s as %s", (shown, csv) => {
  expect(sheetAddress(new URL(shown)).href).toBe(csv);
});
