import { expect, test } from "vitest";
import { blockOfText, textOfBlock } from "./block-text.ts";
import { addRows, clearCells, pasteBlock, removeRows, setCell, setField, type Sheet } from "./sheet.ts";
import { addStep, redo, startHistory, undo } from "./sheet-history.ts";

const SHEET: Sheet = {
  columns: ["link", "caption", "sku"],
  fields: ["link", "caption", "pass"],
  rows: [
    ["a", "A", "1"],
    ["b", "B", "2"],
    ["c", "C", "3"],
  ],
};

test("an edit keeps the rows that it does not change, and a change to the same text changes nothing", () => {
  const edited = setCell(SHEET, { row: 1, column: 1 }, "new");
  expect(edited.rows[1]).toEqual(["b", "new", "2"]);
  expect(edited.rows[0]).toBe(SHEET.rows[0]);
  expect(setCell(SHEET, { row: 1, column: 1 }, "B")).toBe(SHEET);
  expect(setCell(SHEET, { row: 9, column: 0 }, "x")).toBe(SHEET);
  expect(clearCells(SHEET, [0, 2], { left: 1, right: 2 }).rows).toEqual([
    ["a", "", ""],
    ["b", "B", "2"],
    ["c", "", ""],
  ]);
});

test("a block is pasted from a cell, adds rows that are missing, and leaves out columns that are missing", () => {
  const block = [
    ["X", "8", "lost"],
    ["Y", "9", "lost"],
  ];
  expect(pasteBlock(SHEET, [2, 3], { left: 1, right: 1 }, block).rows).toEqual([
    ["a", "A", "1"],
    ["b", "B", "2"],
    ["c", "X", "8"],
    ["", "Y", "9"],
  ]);
  // Into filtered rows, and one cell into many.
  expect(pasteBlock(SHEET, [0, 2], { left: 1, right: 2 }, [["Z"]]).rows).toEqual([
    ["a", "Z", "Z"],
    ["b", "B", "2"],
    ["c", "Z", "Z"],
  ]);
});

test("rows are added and removed, and a column gets another use", () => {
  expect(addRows(SHEET, 1).rows.at(-1)).toEqual(["", "", ""]);
  expect(removeRows(SHEET, new Set([0, 2])).rows).toEqual([["b", "B", "2"]]);
  expect(setField(SHEET, 2, "caption").fields).toEqual(["link", "caption", "caption"]);
  expect(setField(SHEET, 2, "pass")).toBe(SHEET);
});

test("undo and redo return the same sheets, and a new edit drops what was undone", () => {
  const edited = setCell(SHEET, { row: 0, column: 1 }, "new");
  const once = addStep(startHistory(SHEET), edited);
  expect(addStep(once, edited)).toBe(once);
  expect(undo(once).present).toBe(SHEET);
  expect(redo(undo(once)).present).toBe(edited);
  expect(undo(startHistory(SHEET)).present).toBe(SHEET);
  expect(addStep(undo(once), addRows(SHEET, 1)).future).toEqual([]);
});

test("copied cells come back as they were, with tabs, line breaks and quotation marks", () => {
  const block = [
    ["one", "two\nlines", 'say "hi"'],
    ['"quoted"', "a\tb", ""],
  ];
  expect(blockOfText(textOfBlock(block))).toEqual(block);
  expect(blockOfText("a\tb\r\nc\td\r\n")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(blockOfText("")).toEqual([[""]]);
  expect(blockOfText('"open\tb')).toEqual([['"open', "b"]]);
});
