import { expect, it } from "vitest";
import { readDays, toFilesForm, toRetentionDays } from "./files-form.ts";

it("converts days, and forever, to a form and back", () => {
  for (const days of [1, 30, 3_650, null]) expect(toRetentionDays(toFilesForm(days))).toBe(days);
  expect(toFilesForm(null)).toEqual({ keep: "ever", days: "30" });
});

it.each([
  ["7", 7],
  [" 12.9 ", 12],
  ["0", 1],
  ["-3", 1],
  ["99999", 3_650],
  ["", 30],
  ["soon", 30],
])("reads %j as %i days", (text, days) => expect(readDays(text)).toBe(days));
