import { expect, test } from "vitest";
import { quoteName } from "./quote-name.ts";

test("quotes and isolates a name, and cuts a long one", () => {
  expect(quoteName("Monday hooks")).toBe('"\u2068Monday hooks\u2069"');
  expect(quoteName("x".repeat(200))).toBe(`"\u2068${"x".repeat(80)}...\u2069"`);
});
