import { expect, it } from "vitest";
import { parseRange } from "./download-response.ts";

it.each([
  [undefined, null],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=40-", { start: 40, end: 99 }],
  ["bytes=40-49", { start: 40, end: 49 }],
  ["bytes=90-1000", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=100-", "outside"],
  ["bytes=-0", "outside"],
  ["bytes=9-3", null],
  ["bytes=0-1,5-6", null],
  ["bytes=-", null],
  ["lines=1-2", null],
])("reads %s of 100 bytes", (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});
